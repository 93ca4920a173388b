import { randomUUID } from "node:crypto";
import type pg from "pg";
import { execute, type Sql } from "@/lib/db/pg";
import { readLetters } from "@/lib/engine/durable/redis-work-queue";
import { type CloseDeps, closeStream } from "@/lib/engine/session-lifecycle";
import { openSession } from "@/lib/engine/session-lifecycle/sessions/active";
import { takeSlot } from "@/lib/engine/world/faults/fault-writes";
import type { OpenFault } from "@/lib/engine/world/faults/read-fault";
import type { Crowd } from "@/lib/engine/world/players/crowd";
import { cleanupOf, newPlayer, type Player } from "@/lib/engine/world/players/player";
import { overwritePresence } from "./presence-keys";
import type { RefusalSwitch } from "./refuse-writes";

export type JournalFaults = {
  /** This engine's part of the fault that is open; null: none is, or it is too young. */
  play(open: OpenFault | null): Promise<void>;
  /** Leaves Redis as it should be. */
  close(): Promise<void>;
};

/** Of so many players one comes back once their cleanup is dead, and stays for so long. */
const BACK_ONE_IN = 4;
const BACK_MS = 10 * 60_000;

// $1 fault · $2 slot · $3 entry
const NOTE_ENTRY: Sql = {
  name: "demo_fault_note_entry",
  text: "update demo_fault_writes set retry_job_id = $3 where fault_id = $1 and slot = $2",
};

/**
 * @param crowd where those who come back stay
 * @param refusal null: this engine may not make its Redis refuse anything
 */
export function journalFaults(
  pool: pg.Pool,
  close: CloseDeps,
  crowd: Crowd,
  refusal: RefusalSwitch | null = null,
): JournalFaults {
  /** Who comes back, by the entry whose death they wait for. */
  const comingBack = new Map<string, Player>();

  async function leaveOverwritten({ faultId }: OpenFault): Promise<void> {
    const slot = await takeSlot(pool, faultId, randomUUID());
    if (slot === null) return;
    const player = newPlayer(slot.characterId);
    await openSession(close.sessions, player);
    await overwritePresence(close.sessions, slot.characterId);
    const closed = await closeStream(close, cleanupOf(player, slot, "reconnectable"));
    if (closed.kind !== "closed") return;
    await execute(pool, NOTE_ENTRY, [faultId, slot.slot, closed.entryId]);
    if (slot.slot % BACK_ONE_IN === 0) comingBack.set(closed.entryId, player);
  }

  async function comeBack(): Promise<void> {
    if (comingBack.size === 0) return;
    const died = await readLetters(close.queue, { max: 50, first: "newest" });
    for (const { value } of died) {
      const player = value && comingBack.get(value.entryId);
      if (!player) continue;
      comingBack.delete(value.entryId);
      await crowd.connect(newPlayer(player.characterId, player.token), BACK_MS);
    }
  }

  return {
    async play(open) {
      await refusal?.set(open?.fault === "redis_refuses");
      if (open?.fault === "presence_keys") await leaveOverwritten(open);
      await comeBack();
    },
    close: async () => refusal?.close(),
  };
}
