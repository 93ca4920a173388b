import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { JOURNAL_KEYS, requeuedField } from "@/lib/queues/session-lifecycle/keys";
import type { TestStores } from "./stores";

/** The item of a cleanup, as the game server writes it; parts of it may be another. */
export function cleanupItem(more: Record<string, unknown> = {}, player: Record<string, unknown> = {}): string {
  return JSON.stringify({
    session_token: `token-${randomUUID()}`,
    player: {
      character_id: randomUUID(),
      character_name: "Brannoch",
      realm_id: "aether-eu",
      zone_id: "embergate",
      position: { x: 1.5, y: 2, z: -3.25 },
      ...player,
    },
    runtime_profile: "realtime",
    resume_ledger: null,
    transfer_activation_confirmed: false,
    plan: "reconnectable",
    ...more,
  });
}

type EntryOf = { id?: string; attempts?: number; enqueuedAt?: string; requeuedFrom?: string; item?: string | Buffer };

/** An entry's bytes, as our engine writes them. */
export function entryBytes({ id = randomUUID(), attempts = 0, enqueuedAt, requeuedFrom, item }: EntryOf = {}): Buffer {
  const from = requeuedFrom ? `"requeued_from":"${requeuedFrom}",` : "";
  const at = enqueuedAt ?? new Date().toISOString();
  return Buffer.concat([
    Buffer.from(`{"entry_id":"${id}","attempts":${attempts},"enqueued_at":"${at}",${from}`),
    itemField(item ?? cleanupItem()),
  ]);
}

export type LetterOf = {
  id?: string;
  /** Empty: what died was no entry. */
  entryId?: string;
  attempts?: number;
  error?: string;
  diedAt?: string;
  requeuedFrom?: string;
  item?: string | Buffer;
};

/** A letter's bytes, as our engine writes them. A Buffer for an item travels as base64. */
export function letterBytes(of: LetterOf = {}): Buffer {
  const { id = randomUUID(), entryId = randomUUID(), attempts = 8, error = "no zone 7", requeuedFrom, item } = of;
  const from = requeuedFrom ? `"requeued_from":"${requeuedFrom}",` : "";
  const head = [
    `{"dead_letter_id":"${id}","entry_id":"${entryId}","failed_attempts":${attempts}`,
    `"error":${JSON.stringify(error)},"dead_lettered_at":"${of.diedAt ?? new Date().toISOString()}"`,
  ];
  return Buffer.concat([Buffer.from(`${head.join(",")},${from}`), itemField(item ?? cleanupItem())]);
}

const itemField = (item: string | Buffer) =>
  typeof item === "string" ? Buffer.from(`"item":${item}}`) : Buffer.from(`"item_b64":"${item.toString("base64")}"}`);

/** Puts letters into the list as they die, one after the other; answers their ids. */
export async function dieInJournal(redis: Redis, letters: readonly LetterOf[]): Promise<string[]> {
  const ids = letters.map(({ id }) => id ?? randomUUID());
  for (const [n, letter] of letters.entries()) {
    await redis.lpush(JOURNAL_KEYS.deadLetter, letterBytes({ ...letter, id: ids[n] as string }));
  }
  return ids;
}

/** The journal's Redis of a test file, as somebody who may write to it: empty now, and again when it ends. */
export async function openJournal(stores: TestStores): Promise<{ admin: Redis; close(): Promise<void> }> {
  const admin = new Redis(stores.redisUrl("admin"));
  await admin.flushdb();
  return {
    admin,
    async close() {
      await admin.flushdb();
      admin.disconnect();
    },
  };
}

/** Puts a letter back as the engine's script does, in one transaction; answers the new entry's id. */
export async function requeueInJournal(
  redis: Redis,
  letterId: string,
  by = { operationId: randomUUID(), actor: "somebody" },
) {
  const letters = await redis.lrangeBuffer(JOURNAL_KEYS.deadLetter, 0, -1);
  const bytes = letters.find((each) => each.includes(`"dead_letter_id":"${letterId}"`));
  if (bytes === undefined) throw new Error(`no letter ${letterId}`);
  const entryId = randomUUID();
  const record = { at: new Date().toISOString(), entry_id: entryId, operation_id: by.operationId, actor: by.actor };
  await redis
    .multi()
    .lpush(JOURNAL_KEYS.pending, entryBytes({ id: entryId, requeuedFrom: letterId }))
    .lrem(JOURNAL_KEYS.deadLetter, 1, bytes)
    .hset(JOURNAL_KEYS.operations, requeuedField(letterId), JSON.stringify(record))
    .exec();
  return entryId;
}

/** Settles a requeued letter's entry as the engine does. */
export async function settleInJournal(
  redis: Redis,
  letterId: string,
  entryId: string,
  outcome: "recovered" | "superseded" | { diedAs: string },
) {
  const kept =
    typeof outcome === "string"
      ? { outcome, entry_id: entryId }
      : { outcome: "died_again", entry_id: entryId, next_dead_letter_id: outcome.diedAs };
  await redis.hset(JOURNAL_KEYS.outcomes, letterId, JSON.stringify({ at_ms: Date.now(), ...kept }));
}
