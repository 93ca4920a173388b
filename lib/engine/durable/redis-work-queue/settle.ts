import { z } from "zod";
import { failpoint } from "@/lib/engine/failpoint";
import { type Entry, returnsName, withOneAttemptMore } from "./envelope/entry";
import { newLetter, outcomeTail } from "./envelope/letter";
import { ACK as ACK_LUA } from "./lua/ack";
import { DEAD_LETTER as DEAD_LETTER_LUA } from "./lua/dead-letter";
import { RELEASE as RELEASE_LUA } from "./lua/release";
import { RETRY as RETRY_LUA } from "./lua/retry";
import type { AnyQueue } from "./queue";
import { runScript, script, word } from "./script";

const ACK = script(ACK_LUA);
const RETRY = script(RETRY_LUA);
const DEAD_LETTER = script(DEAD_LETTER_LUA);
const RELEASE = script(RELEASE_LUA);

/** What is held, as `takeEntries` gave it. */
export type Held = { bytes: Buffer; entry: Entry | null };

/** How work ended: it took effect, or was found to be settled without. `count` is the word for the chart. */
export type AckedAs = { outcome: "recovered" | "superseded"; count?: "done" | "skipped_reconnected" };

/**
 * Settles what was worked off, and writes the outcome of each that came from a requeue; answers for each in turn.
 * `stale`: this runtime held it no longer, and nothing is left behind.
 */
export async function ackEntries(
  { redis, keys }: AnyQueue,
  runtime: string,
  held: readonly Held[],
  { outcome, count = "done" }: AckedAs = { outcome: "recovered" },
): Promise<("acked" | "stale")[]> {
  const all = [keys.processingOf(runtime), keys.returns, keys.minutes, keys.outcomes, keys.outcomesAt];
  const each = held.flatMap(({ bytes, entry }) => {
    const from = entry?.requeuedFrom ?? "";
    return [bytes, returnsName(bytes, entry), from, entry && from ? outcomeTail(entry, outcome) : ""];
  });
  await failpoint("work_queue.settle_before");
  const answers = await runScript(redis, ACK, all, [count, ...each], z.array(word("acked", "stale")));
  await failpoint("work_queue.settle_after");
  return answers;
}

/** Counts a failure; the entry waits for the next tick, then behind all others. */
export async function retryEntry(
  { redis, keys }: AnyQueue,
  runtime: string,
  { bytes, entry }: { bytes: Buffer; entry: Entry },
): Promise<"retrying" | "stale"> {
  const all = [keys.processingOf(runtime), keys.retrying, keys.returns, keys.minutes];
  const args = [bytes, withOneAttemptMore(bytes, entry), returnsName(bytes, entry)];
  await failpoint("work_queue.settle_before");
  const answer = await runScript(redis, RETRY, all, args, word("retrying", "stale"));
  await failpoint("work_queue.settle_after");
  return answer;
}

export type DeadLettered = { kind: "dead"; deadLetterId: string } | { kind: "stale" };

/** Makes a dead letter of it, this failure counted; of what is no entry, with all of its bytes. */
export async function deadLetterEntry(
  { redis, keys }: AnyQueue,
  runtime: string,
  { bytes, entry }: Held,
  error: string,
): Promise<DeadLettered> {
  const letter = newLetter(bytes, entry, (entry?.attempts ?? 0) + 1, error);
  const all = [keys.processingOf(runtime), keys.deadLetter, keys.returns, keys.minutes, keys.outcomes, keys.outcomesAt];
  const args = [bytes, letter.before, letter.after, returnsName(bytes, entry), letter.from, letter.outcome];
  await failpoint("work_queue.settle_before");
  const answer = await runScript(redis, DEAD_LETTER, all, args, word("dead", "stale"));
  await failpoint("work_queue.settle_after");
  return answer === "dead" ? { kind: "dead", deadLetterId: letter.deadLetterId } : { kind: "stale" };
}

/** Gives back what nobody worked on: it is the next to be taken, and nothing is counted. */
export async function releaseEntry(
  { redis, keys }: AnyQueue,
  runtime: string,
  { bytes }: Held,
): Promise<"released" | "stale"> {
  return runScript(redis, RELEASE, [keys.processingOf(runtime), keys.pending], [bytes], word("released", "stale"));
}
