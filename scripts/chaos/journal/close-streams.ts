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

/** What players do, each in one call; it throws what the stores say. */
type Streams = {
  /** Somebody connects. */
  open(): Promise<Closed>;
  /** Their stream closes; what its closer was told is written down. */
  close(closed: Closed): Promise<void>;
  /** They are back, with another stream. */
  comeBack(closed: Closed): Promise<void>;
};

async function openStreams(stage: JournalStage): Promise<Streams> {
  const { chaos, book } = stage;
  const random = chaos.random.fork();
  const redis = await stage.connect("chaos-closing");
  const [queue, sessions] = [journalQueue(redis), { redis, keys: KEYS }];
  const deps = { queue, sessions, signal: new WakeSignal(1_000_000), counters: createJournalCounters(new Registry()) };
  /** So that one that ends is told from one that ran out. */
  const forGood = (token: string) => redis.persist(activeKey(sessions, token));

  return {
    async open() {
      const { characterId, realmId, zoneId } = await newCharacter(chaos.pool, {
        zoneId: random.pick(chaos.world.zones),
      });
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
      await forGood(token);
      if (plan !== "reconnectable") await persistResumeLedger(sessions, token, { characterId, record: "{}" });
      if (doomed) await redis.set(presenceKey(sessions, characterId), "of another program");
      return { cleanup, told: "unknown", entryId: null, doomed, cameBack: null, seenDone: false };
    },

    async close(closed) {
      const { cleanup } = closed;
      book.closed.set(cleanup.sessionToken, closed);
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
    },

    async comeBack(closed) {
      const { sessionToken: token, player } = closed.cleanup;
      const streamId = randomUUID();
      closed.cameBack = { streamId, sure: false };
      await openSession(sessions, { token, characterId: player.characterId, streamId });
      await forGood(token);
      closed.cameBack.sure = true;
    },
  };
}

/** So many players connect, and then leave one after the other; nobody comes back. */
export async function closeMany(stage: JournalStage, many: number): Promise<void> {
  const streams = await openStreams(stage);
  const all: Closed[] = [];
  while (all.length < many) all.push(await streams.open());
  for (const closed of all) await streams.close(closed);
}

/** Players come and go until it is stopped. */
export async function startClosing(stage: JournalStage): Promise<{ stop(): Promise<void> }> {
  const streams = await openStreams(stage);
  const random = stage.chaos.random.fork();
  let stopping = false;

  async function run(): Promise<void> {
    for (let n = 0; !stopping; n += 1) {
      // The store is away: what a closer was told stays `unknown`.
      const pause = () => sleep(50);
      const closed = await streams.open().catch(pause);
      if (!closed) continue;
      await streams.close(closed).catch(pause);
      if (closed.told === "appended" && random.chance(CAME_BACK)) await streams.comeBack(closed).catch(pause);
      await sleep(PACE_MS);
      if (n % 50 !== 0) continue;
      const depths = await readDepths(stage.queue).catch(() => null);
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
