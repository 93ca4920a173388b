import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Registry } from "prom-client";
import { appendItems, readDepths } from "@/lib/engine/durable/redis-work-queue";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { closeStream } from "@/lib/engine/session-lifecycle/close-stream";
import { createJournalCounters } from "@/lib/engine/session-lifecycle/counters";
import type { RealtimeStreamCleanup } from "@/lib/engine/session-lifecycle/item/cleanup";
import { encodeCleanup } from "@/lib/engine/session-lifecycle/item/encode";
import { journalQueue } from "@/lib/engine/session-lifecycle/journal-queue";
import { openSession } from "@/lib/engine/session-lifecycle/sessions/active";
import { persistResumeLedger } from "@/lib/engine/session-lifecycle/sessions/resume";
import { activeKey, presenceKey } from "@/lib/engine/session-lifecycle/sessions/session-store";
import { newCharacter } from "@/lib/engine/testing/maker";
import { count } from "@/scripts/chaos/tally";
import type { Closed } from "./book";
import { type JournalStage, KEYS } from "./stage";

const PACE_MS = 15;
/** Entries that wait beyond which it pauses. */
const BACKLOG_MAX = 300;
const DOOMED = 0.15;
/** Whoever closes the stream ends between the entry and the removal of the session. */
const CUT_SHORT = 0.1;
const CAME_BACK = 0.1;
const PLANS = ["reconnectable", "permanent_removal", "confirmed_transfer"] as const;

/** There once a session was opened, and never removed. */
export const openedKey = (token: string) => `chaos:opened:${token}`;

/** Players come and go until it is stopped; what their closers were told is written down. */
export async function startClosing(stage: JournalStage): Promise<{ stop(): Promise<void> }> {
  const { chaos, book } = stage;
  const random = chaos.random.fork();
  const redis = await stage.connect("chaos-closing");
  const [queue, sessions] = [journalQueue(redis), { redis, keys: KEYS }];
  const deps = { queue, sessions, signal: new WakeSignal(1_000_000), counters: createJournalCounters(new Registry()) };
  let stopping = false;

  async function connected(): Promise<Closed> {
    const { characterId, realmId, zoneId } = await newCharacter(chaos.pool, { zoneId: random.pick(chaos.world.zones) });
    const plan = random.pick(PLANS);
    const cleanup: RealtimeStreamCleanup = {
      sessionToken: `token-${randomUUID()}`,
      player: {
        ...{ characterId, characterName: "Brannoch", realmId, zoneId },
        position: { x: String(random.int(100, 1_000_000)), y: "-7", z: "0.25" },
      },
      runtimeProfile: "realtime",
      resumeLedger: '{"sequence":9007199254740993}',
      transferActivationConfirmed: plan === "confirmed_transfer",
      plan,
      streamId: randomUUID(),
    };
    const { sessionToken: token, streamId } = cleanup;
    // Only a plan that sets the presence can fail at it.
    const doomed = plan === "reconnectable" && random.chance(DOOMED * PLANS.length);
    await openSession(sessions, { token, characterId, streamId: streamId ?? "" });
    // So that it is told from one that ran out.
    await redis.persist(activeKey(sessions, token));
    // What stands behind the opening in the append-only file.
    await redis.set(openedKey(token), "1");
    if (plan !== "reconnectable") await persistResumeLedger(sessions, token, { characterId, record: "{}" });
    if (doomed) await redis.set(presenceKey(sessions, characterId), "of another program");
    return { cleanup, told: "unknown", entryId: null, doomed, cameBack: null, seenDone: false };
  }

  async function close(closed: Closed): Promise<void> {
    const { cleanup } = closed;
    if (random.chance(CUT_SHORT)) {
      closed.entryId = (await appendItems(queue, [encodeCleanup(cleanup)])).entryIds[0] ?? null;
      closed.told = "appended";
      count(chaos.tally, "closers that ended before they removed the session");
      return;
    }
    const ending = await closeStream(deps, cleanup);
    if (ending.kind === "closed") closed.entryId = ending.entryId;
    if (ending.kind === "closed") closed.told = "appended";
    else if (ending.trouble !== "unknown") closed.told = "left";
    count(chaos.tally, ending.kind === "closed" ? "streams closed" : `streams not closed: ${ending.trouble}`);
  }

  async function comeBack(closed: Closed): Promise<void> {
    const { sessionToken: token, player } = closed.cleanup;
    const streamId = randomUUID();
    closed.cameBack = { streamId, sure: false };
    await openSession(sessions, { token, characterId: player.characterId, streamId });
    await redis.persist(activeKey(sessions, token));
    closed.cameBack.sure = true;
  }

  async function run(): Promise<void> {
    for (let n = 0; !stopping; n += 1) {
      const pause = () => sleep(50);
      const closed = await connected().catch(pause);
      if (!closed) continue;
      book.closed.set(closed.cleanup.sessionToken, closed);
      await close(closed).catch(pause);
      if (closed.told === "appended" && random.chance(CAME_BACK)) await comeBack(closed).catch(pause);
      await sleep(PACE_MS);
      if (n % 50 !== 0) continue;
      const depths = await readDepths(queue).catch(() => null);
      if ((depths?.pending ?? 0) > BACKLOG_MAX) await sleep(500);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping = true;
      await running;
    },
  };
}
