import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  readDepths,
  readEntries,
  readLetters,
  readOutcomes,
  requeueOne,
  takeEntries,
} from "@/lib/engine/durable/redis-work-queue";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { closeStream } from "./close-stream";
import type { RealtimeStreamCleanup } from "./item/cleanup";
import { openSession } from "./sessions/active";
import { setPresence } from "./sessions/presence";
import { persistResumeLedger } from "./sessions/resume";
import { countsOf, type JournalWorld, openJournalWorld, settled, stateOf, until } from "./testing";

vi.setConfig({ testTimeout: 60_000 });

const LEDGER = '{"sequence":9007199254740993}';

let stores: TestStores;
let pool: pg.Pool;
let world: JournalWorld;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
});
afterAll(() => stores.close());
beforeEach(async () => {
  world = await openJournalWorld(stores, pool);
});
afterEach(() => world.close());

/** The session as its player comes back to it: another stream. */
const comeBack = ({ sessionToken: token, player: { characterId } }: RealtimeStreamCleanup) =>
  openSession(world.sessions, { token, characterId, streamId: randomUUID() });

const waiting = async () =>
  (await readEntries(world.queue, world.queue.keys.pending, { max: 10, first: "oldest" })).length;

test("the entry is appended before the session is removed", async () => {
  const cleanup = await world.connect();
  const monitor = await world.admin.duplicate().monitor();
  const written: string[] = [];
  monitor.on("monitor", (_time: string, args: string[]) => {
    const [command = "", key = ""] = args;
    if (/^(lpush|del)$/i.test(command)) written.push(`${command.toLowerCase()} ${key}`);
  });
  expect(await closeStream(world, cleanup)).toMatchObject({ kind: "closed", session: "removed" });
  const removal = `del session:active:${cleanup.sessionToken}`;
  await until(async () => written.includes(removal));
  monitor.disconnect();
  expect(written.filter((each) => each === removal || each.startsWith("lpush {session"))).toEqual([
    `lpush ${world.queue.keys.pending}`,
    removal,
  ]);
});

test("an entry that cannot be appended leaves the session as it is, and the outcome carries why; counted", async () => {
  const cleanup = await world.connect();
  const before = await stateOf(world, pool, cleanup);
  // The list's key is of another type: Redis refuses the append, and nothing else.
  await world.admin.set(world.queue.keys.pending, "of another program");
  const closed = await closeStream(world, cleanup);
  expect(closed).toEqual({
    kind: "session_left",
    trouble: "refused",
    enqueueError: expect.stringMatching(/^WRONGTYPE /),
  });
  expect(await stateOf(world, pool, cleanup)).toEqual(before);
  expect(before.active).toBe(true);
  expect((await world.counters.enqueueErrors.get()).values).toMatchObject([
    { labels: { trouble: "refused" }, value: 1 },
  ]);
  // Mended, the same stream is closed.
  await world.admin.del(world.queue.keys.pending);
  expect(await closeStream(world, cleanup)).toMatchObject({ kind: "closed", session: "removed" });
  expect(await waiting()).toBe(1);
});

test("a wake that is lost costs an interval: the entry is found and worked off", async () => {
  const cleanup = await world.connect();
  // The worker listens to a signal of its own: ours reaches nobody, and is closed besides.
  await world.work({ intervalMs: 50 }, new WakeSignal(1));
  world.signal.close();
  expect(await closeStream(world, cleanup)).toMatchObject({ kind: "closed", woke: "queue_closed" });
  expect(await settled(world)).toMatchObject({ done: 1 });
  expect(await stateOf(world, pool, cleanup)).toEqual({ active: false, ledger: LEDGER, presence: "away", x: "41.5" });
  expect((await world.counters.lostWakes.get()).values).toMatchObject([{ labels: { reason: "queue_closed" } }]);
});

test("a wake works an entry off long before the interval", async () => {
  await world.work({ intervalMs: 600_000 });
  await until(async () => (await world.admin.hlen(world.queue.keys.runtimes)) === 1);
  await closeStream(world, await world.connect());
  expect(await settled(world)).toMatchObject({ done: 1 });
});

test.each([
  ["reconnectable", { ledger: LEDGER, presence: "away", x: "41.5" }],
  ["permanent_removal", { ledger: null, presence: null, x: "41.5" }],
  ["confirmed_transfer", { ledger: null, presence: null, x: "1.5" }],
] as const)(
  "a process that ends between the entry and the removal leaves a session that its cleanup removes: %s",
  async (plan, after) => {
    const cleanup = await world.connect({ plan });
    const stranger = await world.connect({ streamId: cleanup.streamId });
    await closeStream(world, cleanup);
    // As if the removal had not come: the session is there again, of the very stream that closed.
    await openSession(world.sessions, {
      token: cleanup.sessionToken,
      characterId: cleanup.player.characterId,
      streamId: cleanup.streamId ?? "",
    });
    await world.work();
    expect(await settled(world)).toEqual({ queued: 1, done: 1 });
    expect(await stateOf(world, pool, cleanup)).toEqual({ active: false, ...after });
    expect((await stateOf(world, pool, stranger)).active).toBe(true);
  },
);

test("a player who is back before the cleanup is worked off loses nothing: no effect, and it counts as skipped", async () => {
  const cleanup = await world.connect();
  await closeStream(world, cleanup);
  await comeBack(cleanup);
  const before = await stateOf(world, pool, cleanup);
  await world.work();
  expect(await settled(world)).toEqual({ queued: 1, skipped_reconnected: 1 });
  expect(await stateOf(world, pool, cleanup)).toEqual(before);
  expect(before).toEqual({ active: true, ledger: null, presence: null, x: "1.5" });
  expect((await world.counters.skippedReconnected.get()).values).toMatchObject([{ value: 1 }]);
});

test("a session whose next stream came first is not removed by the end of the one before", async () => {
  const cleanup = await world.connect();
  await comeBack(cleanup);
  expect(await closeStream(world, cleanup)).toMatchObject({ kind: "closed", session: "not_ours" });
  expect((await stateOf(world, pool, cleanup)).active).toBe(true);
});

test("a requeued cleanup whose player is back is superseded, and says so under its letter", async () => {
  const cleanup = await world.connect();
  await world.admin.set(`presence:${cleanup.player.characterId}`, "of another program");
  await world.work({ attemptsMax: 1 });
  await closeStream(world, cleanup);
  await until(async () => (await world.admin.llen(world.queue.keys.deadLetter)) === 1);
  await world.admin.del(`presence:${cleanup.player.characterId}`);
  await comeBack(cleanup);
  const letter = JSON.parse((await world.admin.lindex(world.queue.keys.deadLetter, 0)) ?? "{}");
  expect(await requeueOne(world.queue, { deadLetterId: letter.dead_letter_id, actor: "op" })).toMatchObject({
    kind: "requeued",
  });
  await settled(world);
  expect(await readOutcomes(world.queue, [letter.dead_letter_id])).toMatchObject([{ outcome: "superseded" }]);
  expect((await stateOf(world, pool, cleanup)).active).toBe(true);
});

test.each([
  ["reconnectable", false, { ledger: LEDGER, presence: "away", x: "41.5" }],
  ["permanent_removal", false, { ledger: null, presence: null, x: "41.5" }],
  ["confirmed_transfer", true, { ledger: null, presence: null, x: "1.5" }],
  ["reconnectable", true, { ledger: null, presence: null, x: "1.5" }],
  ["permanent_removal", true, { ledger: null, presence: null, x: "1.5" }],
] as const)("%s, transfer confirmed %s: what is done, and nothing else", async (plan, confirmed, after) => {
  const cleanup = await world.connect({ plan, transferActivationConfirmed: confirmed });
  const { sessionToken, player } = cleanup;
  await persistResumeLedger(world.sessions, sessionToken, { characterId: player.characterId, record: "{}" });
  await closeStream(world, cleanup);
  await world.work();
  expect(await settled(world)).toEqual({ queued: 1, done: 1 });
  expect(await stateOf(world, pool, cleanup)).toEqual({ active: false, ...after });
});

test("a plan that deletes the ledger is carried out though the player is back, and their session stays", async () => {
  const cleanup = await world.connect({ plan: "permanent_removal" });
  const { sessionToken, player } = cleanup;
  await persistResumeLedger(world.sessions, sessionToken, { characterId: player.characterId, record: "{}" });
  await closeStream(world, cleanup);
  await comeBack(cleanup);
  await world.work();
  expect(await settled(world)).toEqual({ queued: 1, done: 1 });
  expect(await stateOf(world, pool, cleanup)).toEqual({ active: true, ledger: null, presence: null, x: "41.5" });
});

test("a character who is online in another session stays shown as online", async () => {
  const cleanup = await world.connect();
  const { characterId } = cleanup.player;
  await closeStream(world, cleanup);
  await setPresence(world.sessions, { token: "another session", characterId }, "online");
  await world.work();
  expect(await settled(world)).toEqual({ queued: 1, done: 1 });
  expect((await stateOf(world, pool, cleanup)).presence).toBe("online");
});

test("a location that cannot be written is queued for persistence retry, once, however often the cleanup is tried", async () => {
  const cleanup = await world.connect();
  const { player } = cleanup;
  // Nobody can write to it now: neither this cleanup nor its second try.
  await pool.query("delete from persistence_retry_jobs");
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from characters where character_id = $1 for update", [player.characterId]);
  await world.admin.set(`presence:${player.characterId}`, "of another program");
  await closeStream(world, cleanup);
  await world.work({ attemptsMax: 2 });
  await settled(world);
  await holder.query("rollback");
  holder.release();
  const jobs = await pool.query("select job_kind, source, session_impact, payload from persistence_retry_jobs");
  expect(jobs.rows).toMatchObject([
    { job_kind: "character_location", source: "session_cleanup", session_impact: "None" },
  ]);
  expect(JSON.parse(jobs.rows[0].payload).idempotency.key).toMatch(/^slc:/);
  // The second try found its location queued already, and came as far as the first.
  const [dead] = await readLetters(world.queue, { max: 2, first: "oldest" });
  expect(dead?.value).toMatchObject({ failedAttempts: 2, error: expect.stringMatching(/^WRONGTYPE /) });
});

test("two workers that start at once bring each leftover back once, and take nothing from one that lives", async () => {
  const gone = await Promise.all(Array.from({ length: 12 }, () => world.connect()));
  for (const cleanup of gone) await closeStream(world, cleanup);
  await takeEntries(world.queue, "gone", 12);
  await world.admin.hset(world.queue.keys.runtimes, "gone", "1");
  const held = await world.connect();
  await closeStream(world, held);
  await takeEntries(world.queue, "alive", 1);

  await Promise.all([world.work(), world.work(), world.work()]);
  await until(async () => (await world.admin.llen(world.queue.keys.processingOf("gone"))) === 0);
  await until(async () => (await world.admin.llen(world.queue.keys.pending)) === 0);
  await until(async () => (await countsOf(world)).done === 12);
  expect(await countsOf(world)).toEqual({ queued: 13, returned: 12, done: 12 });
  expect(await world.admin.llen(world.queue.keys.processingOf("alive"))).toBe(1);
  for (const cleanup of gone) expect((await stateOf(world, pool, cleanup)).presence).toBe("away");
  expect((await stateOf(world, pool, held)).presence).toBeNull();
});

test("a worker that is told to stop finishes what it has in hand, and leaves nothing behind", async () => {
  const cleanups = await Promise.all(Array.from({ length: 20 }, () => world.connect()));
  for (const cleanup of cleanups) await closeStream(world, cleanup);
  const worker = await world.work();
  await until(async () => ((await countsOf(world)).done ?? 0) > 0);
  await worker.stop();
  const { pending, runtimes } = await readDepths(world.queue);
  expect(runtimes).toEqual([]);
  expect((pending ?? 0) + ((await countsOf(world)).done ?? 0)).toBe(20);
});
