import type pg from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";
import type { SessionSeen } from "@/lib/db/sessions";
import type { BatchItem } from "@/lib/internal-rpc/wire";
import { decodePersistenceRetryJob } from "./payload/decode";

/** Looks at the sessions of some tokens, in their order. Does not throw. */
export type SessionReader = (tokens: readonly string[]) => Promise<SessionSeen[]>;

/** By letter; a letter that is not named has no session that could be told. */
export type ExpectedSessions = Map<string, "active" | "inactive">;

/** Letters whose payloads are in memory at a time. */
const CHUNK = 50;

// $1 dead letters
const PAYLOADS: Sql = {
  name: "requeue_expected_sessions",
  text: "select dead_letter_id, payload from persistence_job_dead_letters where dead_letter_id = any($1::uuid[])",
};
const Row = z.object({ dead_letter_id: z.string(), payload: z.string() });

/** The sessions of those items that expect one, as they are now: read before the transaction, never inside it. */
export async function readExpectedSessions(
  pool: pg.Pool,
  items: readonly z.output<typeof BatchItem>[],
  read: SessionReader | null,
): Promise<ExpectedSessions> {
  const sessions: ExpectedSessions = new Map();
  const asked = items.filter(({ expect }) => expect?.session).map((item) => item.dead_letter_id.toLowerCase());
  if (read === null || asked.length === 0) return sessions;
  const tokens = new Map<string, string>();
  for (let at = 0; at < asked.length; at += CHUNK) {
    for (const { dead_letter_id, payload } of await many(pool, PAYLOADS, Row, [asked.slice(at, at + CHUNK)])) {
      const decoded = decodePersistenceRetryJob(payload);
      if (decoded.ok && decoded.job.sessionToken !== null) tokens.set(dead_letter_id, decoded.job.sessionToken);
    }
  }
  const seen = await read([...tokens.values()]);
  [...tokens.keys()].forEach((id, index) => {
    const session = seen[index];
    if (session && session.kind !== "unread") sessions.set(id, session.kind);
  });
  return sessions;
}
