import type { Redis } from "ioredis";
import { fingerprint } from "@/lib/domain/fingerprint";
import type { MinuteCounts } from "@/lib/domain/minute-counts";
import type { Finding } from "@/lib/domain/preflight";
import { type Failing, stillFails } from "@/lib/domain/still-fails";
import { proseDuration } from "@/lib/domain/time";
import { readTime } from "@/lib/queues/session-lifecycle/clock";
import { readLetter } from "@/lib/queues/session-lifecycle/envelope/letter";
import { JOURNAL_KEYS } from "@/lib/queues/session-lifecycle/keys";
import { minuteReader } from "@/lib/queues/session-lifecycle/minutes";
import { nextSize } from "@/lib/queues/session-lifecycle/walk-list";

const WINDOW_MINUTES = 5;
const WINDOW_MS = WINDOW_MINUTES * 60_000;
/** Letters at the newest end that are looked at: a cause that fails more often has failed among them. */
const NEWEST_MAX = 400;

/** Of a longer error its beginning tells the cause. Characters. */
const ERROR_CHARS = 1_024;
const printOf = (error: string) => fingerprint(error.slice(0, ERROR_CHARS));

type Died = { print: string; diedMs: number };

/** What died of late, and what was worked off. */
export type Late = { nowMs: number; died: Died[]; counts: MinuteCounts[] | null };

/** What died in the last minutes, at the newest end of the list, on Redis's clock. */
export async function readLate(redis: Redis): Promise<Late> {
  const nowMs = await readTime(redis);
  const died: Died[] = [];
  for (let read = 0, size = 20; read < NEWEST_MAX; ) {
    const window = await redis.lrangeBuffer(JOURNAL_KEYS.deadLetter, read, read + size - 1);
    const letters = window.map(readLetter);
    for (const { error, diedMs } of letters) {
      if (diedMs !== null && nowMs - diedMs < WINDOW_MS) died.push({ print: printOf(error), diedMs });
    }
    const oldest = letters.at(-1)?.diedMs ?? null;
    if (window.length < size || (oldest !== null && nowMs - oldest >= WINDOW_MS)) break;
    read += window.length;
    size = nextSize(
      window.map((bytes) => ({ place: 0, bytes })),
      size,
    );
  }
  return { nowMs, died, counts: await minuteReader(redis).readMinutes(nowMs - WINDOW_MS) };
}

const grouped = (count: number) => count.toLocaleString("en-US");

/** Whether cleanups still die of a letter's error: 'did the fix work'. */
export function causeFinding(error: string, { nowMs, died, counts }: Late): Finding {
  const print = printOf(error);
  const times = died.filter((each) => each.print === print).map(({ diedMs }) => diedMs);
  const sum = (of: "done" | "failed") => counts?.reduce((total, minute) => total + minute[of], 0) ?? 0;
  const [done, failed] = [sum("done"), sum("failed")];
  const tried = {
    label: "all cleanups",
    value: `${grouped(failed)} of ${grouped(done + failed)} attempts failed in the last ${WINDOW_MINUTES} min`,
  };
  const evidence = counts === null ? [] : [tried];
  if (times.length === 0) {
    const title = `No cleanup has died of this error in the last ${WINDOW_MINUTES} min`;
    const reason = "Whether one was tried is not known: requeue one letter and follow it before more.";
    return { code: "kind_healthy", severity: "ok", title, ...(done > 0 ? {} : { reason }), evidence };
  }
  const seen: Failing = {
    failures: times.length,
    firstMs: Math.min(...times),
    lastMs: Math.max(...times),
    healedMs: null,
  };
  const ago = proseDuration(nowMs - seen.lastMs);
  if (!stillFails(seen, nowMs)) {
    return { code: "kind_healthy", severity: "ok", title: `No cleanup has died of this error for ${ago}`, evidence };
  }
  return {
    code: "cause_present",
    severity: "warn",
    title: `${grouped(times.length)} ${times.length === 1 ? "cleanup" : "cleanups"} died of this same error in the last ${WINDOW_MINUTES} min, the last one ${ago} ago`,
    reason: "The cause is probably still there.",
    evidence,
    whatToDo: "wait for the fix and read again, or requeue one letter and follow it before more.",
    acknowledgement: "Cleanups died of this error just now. I know that this letter may die again.",
  };
}
