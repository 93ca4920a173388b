import {
  type AckedAs,
  ackEntries,
  deadLetterEntry,
  releaseEntry,
  retryEntry,
  type Taken,
} from "@/lib/engine/durable/redis-work-queue";
import { log } from "@/lib/engine/log";
import { errorText } from "@/lib/engine/pg/error-text";
import { type ApplyDeps, applyPlan } from "./apply-plan";
import type { JournalCounters } from "./counters";
import type { RealtimeStreamCleanup } from "./item/cleanup";
import type { JournalQueue } from "./journal-queue";

export type Ending = "done" | "superseded" | "failed" | "dead";

/** How an entry in hand is settled. It may be asked again until it has answered: what was settled before is `stale`. */
export type Settle = { ending: Ending; settle: () => Promise<"written" | "stale"> };

export type WorkDeps = ApplyDeps & {
  queue: JournalQueue;
  runtime: string;
  counters: JournalCounters;
  /** Failed attempts until an entry is a dead letter. */
  attemptsMax: number;
};

/** Works on one entry, and says how it is to be settled. Does not throw: a failure is one of the endings. */
export async function workOn(deps: WorkDeps, taken: Taken<RealtimeStreamCleanup>): Promise<Settle> {
  const { entry, item } = taken;
  if (entry === null || !item.ok) return dead(deps, taken, item.ok ? "parse error" : item.error);
  const work = {
    item: entry.item,
    cleanup: item.value,
    enqueuedAt: entry.enqueuedAt ?? new Date(0).toISOString(),
  };
  try {
    const applied = await applyPlan(deps, work);
    return applied === "applied"
      ? ack(deps, taken, "done", { outcome: "recovered" })
      : ack(deps, taken, "superseded", { outcome: "superseded", count: "skipped_reconnected" });
  } catch (error) {
    const text = cleanupError(error, item.value.sessionToken);
    log("cleanup_failed", { entry_id: entry.entryId, attempt: entry.attempts + 1, error: text.slice(0, 300) });
    if (entry.attempts + 1 >= deps.attemptsMax) return dead(deps, taken, text);
    const { queue, runtime } = deps;
    const held = { bytes: taken.bytes, entry };
    return {
      ending: "failed",
      settle: async () => ((await retryEntry(queue, runtime, held)) === "stale" ? "stale" : "written"),
    };
  }
}

function ack({ queue, runtime }: WorkDeps, taken: Taken<unknown>, ending: Ending, as: AckedAs): Settle {
  const settle = async () =>
    (await ackEntries(queue, runtime, [taken], as))[0] === "acked" ? ("written" as const) : ("stale" as const);
  return { ending, settle };
}

function dead({ queue, runtime }: WorkDeps, taken: Taken<unknown>, error: string): Settle {
  return {
    ending: "dead",
    async settle() {
      const ending = await deadLetterEntry(queue, runtime, taken, error);
      if (ending.kind === "stale") return "stale";
      log("cleanup_dead", { entry_id: taken.entry?.entryId ?? null, dead_letter_id: ending.deadLetterId });
      return "written";
    },
  };
}

/** Gives back what nobody worked on. */
export async function giveBack({ queue, runtime }: WorkDeps, taken: Taken<unknown>): Promise<void> {
  await releaseEntry(queue, runtime, taken);
}

/** As its letter shows it: Redis may quote a key, and so a token; and it adds where in a script it was. */
function cleanupError(error: unknown, token: string): string {
  if (error instanceof Error && error.name === "MaxRetriesPerRequestError") return "Redis was lost before it answered";
  return errorText(error)
    .replace(/ script: [0-9a-f]{40}, on @user_script:\d+\.$/, "")
    .split(token)
    .join("<token>");
}
