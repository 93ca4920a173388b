import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { JOURNAL_KEYS } from "@/lib/queues/session-lifecycle/keys";
import { cleanupItem, dieInJournal, entryBytes } from "./journal";
import { until } from "./until";

/** A quiet engine's worker has looked once: in the same turn it took what was there, and now nothing until it is woken. */
export async function untilJournalLooked(redis: Redis): Promise<void> {
  await until(async () => (await redis.hlen(JOURNAL_KEYS.runtimes)) > 0);
  await sleep(1_000);
}

/** A version 7 look, the same each time. */
function uuid(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `019a7f31-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-9${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
}

const NAMES = ["Sylvaine", "Korrigan", "Ondine", "Tavish", "Marrow", "Elowen", "Pell"];
const PLANS = ["reconnectable", "permanent_removal", "confirmed_transfer"];
const WRONGTYPE = "WRONGTYPE Operation against a key holding the wrong kind of value";
const LETTERS = [
  { error: WRONGTYPE, agoS: 840 },
  { error: WRONGTYPE, agoS: 836 },
  { error: "ERROR 57P03: the database system is shutting down", agoS: 95 },
];

/**
 * The same cleanups each time, as `makeFixedWorld` has rows: some that wait, one that has failed, one that is no entry, one
 * that a runtime of the game held when it went, and three letters, the first of them of a player who is back. Answers how
 * many letters.
 */
export async function makeFixedJournal(redis: Redis): Promise<number> {
  await untilJournalLooked(redis);
  const at = (agoS: number) => new Date(Date.now() - agoS * 1_000).toISOString();
  const itemOf = (n: number, token = `token-${uuid(`session ${n}`)}`) => {
    const plan = PLANS[n % PLANS.length] ?? "";
    const player = { character_id: uuid(`character ${n}`), character_name: NAMES[n % NAMES.length] ?? "" };
    return cleanupItem({ session_token: token, plan, transfer_activation_confirmed: n % PLANS.length === 2 }, player);
  };
  const entryOf = (n: number, agoS: number, attempts = 0) =>
    entryBytes({ id: uuid(`entry ${n}`), enqueuedAt: at(agoS), attempts, item: itemOf(n) });
  const waiting = [251, 64, 33, 12, 4].map((agoS, n) => entryOf(n, agoS));
  await redis.lpush(JOURNAL_KEYS.pending, ...waiting, Buffer.from("cleanup:legacy"));
  await redis.lpush(JOURNAL_KEYS.retrying, entryOf(5, 41, 3));
  await redis.hset(JOURNAL_KEYS.runtimes, "aether-world-7", String(Date.now() - 90_000));
  await redis.lpush(JOURNAL_KEYS.processingOf("aether-world-7"), entryOf(6, 102));
  const token = `token-${uuid("session 10")}`;
  await dieInJournal(
    redis,
    LETTERS.map(({ error, agoS }, n) => ({
      ...{ id: uuid(`letter ${n}`), entryId: uuid(`dead ${n}`), error, diedAt: at(agoS) },
      item: itemOf(10 + n, n === 0 ? token : undefined),
    })),
  );
  await redis.hset(
    `session:active:${token}`,
    "character_id",
    uuid("character 10"),
    "stream",
    uuid("stream"),
    "since",
    at(212),
  );
  return LETTERS.length;
}
