import { z } from "zod";
import { ms, one, type Sql } from "@/lib/db/pg";
import type { Pools } from "@/lib/db/pools";

/** What anybody may know before signing in: whether the stores answer, how fast, and the database clock. */
export type PublicStatus = {
  postgres: { tookMs: number; atMs: number } | null;
  redis: { tookMs: number } | null | "not_configured";
};

const CLOCK: Sql = { name: "public_clock", text: `select ${ms("clock_timestamp()")} as at_ms` };
const PATIENCE_MS = 1_000;
const KEPT_MS = 1_000;

let latest: { status: Promise<PublicStatus>; atPerf: number } | undefined;

/** One reading a second at most, however many strangers ask. A store that is silent for a second does not answer. */
export function readPublicStatus(pools: Pools): Promise<PublicStatus> {
  const now = performance.now();
  if (!latest || now - latest.atPerf > KEPT_MS) latest = { status: read(pools), atPerf: now };
  return latest.status;
}

async function read({ own, redis }: Pools): Promise<PublicStatus> {
  const [postgres, answer] = await Promise.all([
    timed(async () => (await one(own, CLOCK, z.object({ at_ms: z.number() }))).at_ms),
    redis ? timed(() => redis.ping()) : ("not_configured" as const),
  ]);
  return {
    postgres: postgres && { tookMs: postgres.tookMs, atMs: postgres.value },
    redis: answer === null || answer === "not_configured" ? answer : { tookMs: answer.tookMs },
  };
}

async function timed<T>(ask: () => Promise<T>): Promise<{ value: T; tookMs: number } | null> {
  const begun = performance.now();
  const silence = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null).unref());
  const answer = ask().then(
    (value) => ({ value, tookMs: performance.now() - begun }),
    () => null,
  );
  return Promise.race([answer, silence]);
}
