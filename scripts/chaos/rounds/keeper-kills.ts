import { setTimeout as sleep } from "node:timers/promises";
import { type Chaos, goOn } from "@/scripts/chaos/chaos";
import { checkSamples } from "@/scripts/chaos/keepers/check-samples";
import { settle } from "@/scripts/chaos/keepers/settle";
import type { Span } from "@/scripts/chaos/keepers/spans";
import { openStage, type Stage } from "@/scripts/chaos/keepers/stage";
import type { Keeper } from "@/scripts/chaos/keepers/troop";
import { watchDuty } from "@/scripts/chaos/keepers/watch-duty";
import { CRASHES } from "@/scripts/chaos/own-postgres";
import { count, most, violated } from "@/scripts/chaos/tally";
import { HELD_UP_AT, heldUp } from "@/scripts/testing/held-up";

const ARCHIVE = "archive:persistence-retry";
const SAMPLE = "sample:persistence-retry";
/** A lease of 15 s, the other's next look 5 s later at most, and a busy machine. */
const TAKEN_OVER_WITHIN_MS = 25_000;
/** A keeper that starts on a busy machine, and a sample each 5 s. */
const HELD_UP_WITHIN_MS = 15_000;
const AGO = ["1 second", "1 second", "50 seconds", "15 minutes", "90 days"];

/**
 * Two keepers at a time, one of them killed again and again while letters die, are requeued, resolved and forgotten: at
 * random moments and, in turn, wherever it writes. Postgres is killed some times, too, keepers are frozen, and both are
 * dead for a while.
 */
export async function keeperKills(outer: Chaos, kills: number): Promise<void> {
  if (kills === 0) return;
  const stage = await openStage(outer);
  const { chaos, admin, troop } = stage;
  try {
    const nobody: Span[] = [];
    for (let n = 0; n < 2; n += 1) troop.start();
    const watch = watchDuty(admin, SAMPLE, troop);
    for (let done = 0; done < kills; done += 1) {
      goOn(chaos);
      await killOne(stage, done, nobody);
      if (done % 20 === 19) chaos.say(`${done + 1} keepers killed`);
    }
    await settle(stage);
    const watched = await watch.stop();
    await checkSamples(admin, chaos.tally, watched, nobody);
    chaos.say(`keepers: ${kills} killed, ${chaos.tally.violations.length} violations`);
  } finally {
    await stage.end();
  }
}

async function killOne(stage: Stage, done: number, nobody: Span[]): Promise<void> {
  const { chaos, troop, bursts } = stage;
  const { random, tally, postgres } = chaos;
  const die = () => bursts.die(random.int(20, 150), random.pick(AGO));
  if (done % 4 === 1) await bursts.forget(10);
  if (done % 10 === 4) await freezeOne(stage);
  const dead = done % 2 === 0 ? await killHeldUp(stage, done / 2, die) : await killAtMoment(stage, die);
  if (done % 12 === 11) {
    const how = CRASHES[Math.floor(done / 12) % CRASHES.length] ?? "all";
    await postgres.crash(how);
    count(tally, `Postgres killed beside a keeper: ${how}`);
  }
  if (done % 25 === 24) {
    nobody.push(await whileNobodyLives(stage));
    troop.start();
  }
  // A lease is sometimes left to run out by itself.
  const takenOver = done % 17 === 16 ? untilTakenOver(stage) : troop.endLeases(dead);
  await sleep(random.pick([0, 0, 300]));
  troop.start();
  await takenOver;
}

/** In the middle of a write, by what it waits for; at a random moment where none came to it. */
async function killHeldUp(stage: Stage, turn: number, die: () => Promise<void>): Promise<Keeper> {
  const { chaos, admin, troop } = stage;
  const at = HELD_UP_AT[turn % HELD_UP_AT.length] ?? "it writes letters";
  const dead: Keeper[] = [];
  const act = async (name: string) => {
    const keeper = troop.named(name);
    if (!keeper) return false;
    await troop.kill(keeper);
    dead.push(keeper);
    return true;
  };
  await heldUp(admin, at, { ready: die, act, withinMs: HELD_UP_WITHIN_MS }).catch(() => false);
  const [keeper] = dead;
  if (!keeper) return killAtMoment(stage, die);
  count(chaos.tally, `keepers killed while ${at}`);
  return keeper;
}

async function killAtMoment({ chaos, troop }: Stage, die: () => Promise<void>): Promise<Keeper> {
  const { random, tally } = chaos;
  await die();
  await sleep(random.int(0, 1_500));
  const duty = random.pick([ARCHIVE, SAMPLE, null]);
  const holder = duty === null ? null : await troop.holderOf(duty);
  const keeper = holder ?? random.pick(troop.living());
  await troop.kill(keeper);
  count(tally, "keepers killed at a random moment");
  return keeper;
}

/** One stops for so long that the other has its duties, and goes on with what it had in hand. */
async function freezeOne({ chaos, troop }: Stage): Promise<void> {
  const keeper = (await troop.holderOf(SAMPLE)) ?? chaos.random.pick(troop.living());
  keeper.frozen = true;
  keeper.child.kill("SIGSTOP");
  await troop.endLeases(keeper);
  await sleep(chaos.random.int(500, 6_000));
  keeper.child.kill("SIGCONT");
  keeper.frozen = false;
  count(chaos.tally, "keepers frozen past their leases and thawed");
}

/** The other is killed as well. What was sent to the store by then may still be written: the stretch begins a little later. */
async function whileNobodyLives({ chaos, admin, troop }: Stage): Promise<Span> {
  const now = async () =>
    (await admin.query("select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms")).rows[0].ms as number;
  const all = troop.living();
  for (const keeper of all) await troop.kill(keeper);
  await sleep(500);
  const fromMs = await now();
  await sleep(chaos.random.int(4_000, 12_000));
  const toMs = await now();
  for (const keeper of all) await troop.endLeases(keeper);
  count(chaos.tally, "times that nobody lived");
  return { fromMs, toMs };
}

async function untilTakenOver({ chaos, troop }: Stage): Promise<void> {
  const { tally, signal } = chaos;
  const startedMs = performance.now();
  for (const duty of [ARCHIVE, SAMPLE]) {
    while ((await troop.holderOf(duty).catch(() => null)) === null) {
      goOn({ signal });
      await sleep(50);
      if (performance.now() < startedMs + TAKEN_OVER_WITHIN_MS) continue;
      violated(tally, `${duty} was not taken over within ${TAKEN_OVER_WITHIN_MS} ms`);
      return;
    }
  }
  const tookMs = Math.round(performance.now() - startedMs);
  // The dead one had neither.
  if (tookMs < 1_000) return;
  count(tally, "takeovers once the leases of the dead had run out");
  most(tally, "longest of them, ms", tookMs);
}
