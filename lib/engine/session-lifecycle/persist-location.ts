import { createHash } from "node:crypto";
import type pg from "pg";
import { z } from "zod";
import { maybe, type Sql, sqlState } from "@/lib/db/pg";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { type PersistDirectlyDeps, persistOrQueue } from "@/lib/engine/persistence-retry/persist";
import { sessionImpactOf } from "@/lib/engine/persistence-retry/persistence-session-policy";
import type { RealtimeStreamCleanup } from "./item/cleanup";

/** One piece of work: the same bytes are the same cleanup, over all its tries, letters and requeues. */
export type Work = { item: Buffer; cleanup: RealtimeStreamCleanup; enqueuedAt: string };

const sha256 = (item: Buffer) => createHash("sha256").update(item).digest("hex");

/** The key under which a cleanup's location is written, once. */
export function locationKey({ item, cleanup }: Pick<Work, "item" | "cleanup">): string {
  return `slc:${cleanup.player.characterId.slice(0, 8)}:${sha256(item).slice(0, 24)}`;
}

/** The id of its job, should it be queued: the same however often the cleanup is tried. */
function locationJobId(item: Buffer): string {
  const hex = sha256(item);
  // As a UUID of version 8: made from what it is of.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

// $1 character
const VERSION: Sql = {
  name: "cleanup_character_version",
  text: "select version::text from characters where character_id = $1",
};

/** The character's version now: an item holds none. `0` where it cannot be told, which is older than any. */
async function versionNow(pool: pg.Pool, characterId: string): Promise<string> {
  const row = await maybe(pool, VERSION, z.object({ version: z.string() }), [characterId]).catch(() => null);
  return row?.version ?? "0";
}

/** A cleanup's last known location as a job of persistence retry. */
export function locationJob(work: Work, characterVersion: string): PersistenceRetryJob {
  const { characterId, realmId, zoneId, position } = work.cleanup.player;
  return {
    payload: { kind: "character_location", characterId, realmId, zoneId, position },
    sessionToken: work.cleanup.sessionToken,
    sessionImpact: sessionImpactOf("session_cleanup"),
    source: "session_cleanup",
    idempotency: { key: locationKey(work), characterVersion, issuedAt: work.enqueuedAt },
  };
}

const UNIQUE_VIOLATION = "23505";

/**
 * Writes where the player was, through the path of persistence retry: at once, else queued there durably, and then it is
 * persistence retry's to finish. Throws where it could be neither written nor queued.
 */
export async function persistLocation(deps: PersistDirectlyDeps, work: Work): Promise<"written" | "queued"> {
  const version = await versionNow(deps.pool, work.cleanup.player.characterId);
  try {
    const { kind } = await persistOrQueue(deps, locationJobId(work.item), locationJob(work, version));
    return kind;
  } catch (error) {
    // An earlier try of this cleanup queued it, and it waits there still.
    if (sqlState(error) === UNIQUE_VIOLATION) return "queued";
    throw error;
  }
}
