import { randomInt } from "node:crypto";
import type pg from "pg";
import { type CloseDeps, closeStream } from "@/lib/engine/session-lifecycle";
import { openSession, renewSession } from "@/lib/engine/session-lifecycle/sessions/active";
import { setPresence } from "@/lib/engine/session-lifecycle/sessions/presence";
import { deleteResumeLedger } from "@/lib/engine/session-lifecycle/sessions/resume";
import { findFree, pickCharacters } from "@/lib/engine/world/pick-characters";
import { cleanupOf, type Leaving, newPlayer, type Player } from "./player";

export type CrowdDeps = { pool: pg.Pool; close: CloseDeps };

type Connected = Player & { renewAt: number; leavesAt: number };

export type Crowd = {
  /** A moment: one may leave, some are renewed, one may come, one may come back. Throws what the stores say. */
  step(): Promise<void>;
  /** Connects somebody, who stays for so long. */
  connect(player: Player, staysMs: number): Promise<void>;
  /** Everybody leaves. */
  empty(): Promise<void>;
};

const PLAYERS_MAX = 24;
const RENEW_MS = 20_000;
/** Who could not leave tries again. */
const AGAIN_MS = 10_000;
const [STAYS_MIN_MS, STAYS_MAX_MS] = [10_000, 60_000];

/** How somebody leaves, of a hundred times. */
const LEAVINGS: [Leaving, number][] = [
  ["reconnectable", 65],
  ["handover", 10],
  ["permanent_removal", 13],
  ["confirmed_transfer", 12],
];

/**
 * Who is connected to this engine, in its memory alone: with it their streams end, and their sessions a minute later.
 * @param now ms of a clock that only goes forward: how long somebody stays is no matter of the stores
 */
export function gather({ pool, close }: CrowdDeps, now = () => performance.now()): Crowd {
  const { sessions } = close;
  const connected = new Map<string, Connected>();
  /** Who left and comes back soon. */
  let away: { player: Player; atMs: number }[] = [];

  async function connect(player: Player, staysMs: number): Promise<void> {
    await openSession(sessions, player);
    await showOnline(player);
    connected.set(player.characterId, { ...player, renewAt: now() + RENEW_MS, leavesAt: now() + staysMs });
  }

  /** What cannot be shown now is shown with the next renewal. */
  async function showOnline(player: Player): Promise<void> {
    await setPresence(sessions, player, "online").catch(() => {});
  }

  async function renew(): Promise<void> {
    for (const player of connected.values()) {
      if (player.renewAt > now()) continue;
      player.renewAt = now() + RENEW_MS;
      // It ran out while this process stood still: the player is gone without a word.
      if ((await renewSession(sessions, player)) === "not_ours") connected.delete(player.characterId);
      else await showOnline(player);
    }
  }

  async function come(): Promise<void> {
    const back = away.find(({ atMs }) => atMs <= now());
    if (back) {
      away = away.filter((each) => each !== back);
      if (connected.has(back.player.characterId)) return;
      await connect(newPlayer(back.player.characterId, back.player.token), staying());
      await deleteResumeLedger(sessions, back.player.token);
      return;
    }
    if (connected.size >= PLAYERS_MAX) return;
    const [picked] = await pickCharacters(pool, 1);
    if (picked && !connected.has(picked.characterId)) await connect(newPlayer(picked.characterId), staying());
  }

  async function leave(player: Connected, leaving: Leaving): Promise<void> {
    player.leavesAt = now() + AGAIN_MS;
    const who = await findFree(pool, player.characterId);
    // Somebody looks at this character's letter, or a fault is about it: what would be written waits.
    if (who === null) return;
    const next = newPlayer(player.characterId, player.token);
    if (leaving === "handover") await openSession(sessions, next);
    const closed = await closeStream(close, cleanupOf(player, who, leaving));
    // Its cleanup could not be recorded: the session stays, and so does the player, until it can.
    if (closed.kind === "session_left") return;
    connected.delete(player.characterId);
    if (leaving === "handover") await connect(next, staying());
    if (leaving === "reconnectable" && randomInt(3) === 0)
      away.push({ player, atMs: now() + randomInt(3_000, 20_000) });
  }

  return {
    connect,
    async step() {
      // First: while the store refuses every renewal somebody leaves all the same, and is told that it was not recorded.
      const leaver = [...connected.values()].find(({ leavesAt }) => leavesAt <= now());
      if (leaver) await leave(leaver, roll());
      await renew();
      if (randomInt(2) === 0) await come();
    },
    async empty() {
      away = [];
      for (const player of connected.values()) await leave(player, "reconnectable");
    },
  };
}

const staying = () => randomInt(STAYS_MIN_MS, STAYS_MAX_MS);

function roll(): Leaving {
  let left = randomInt(100);
  for (const [leaving, of100] of LEAVINGS) {
    left -= of100;
    if (left < 0) return leaving;
  }
  return "reconnectable";
}
