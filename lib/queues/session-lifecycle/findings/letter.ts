import type { Seen } from "@/lib/db/json-fields";
import type { Finding } from "@/lib/domain/preflight";
import { utcClock } from "@/lib/domain/time";
import type { JournalFacts } from "@/lib/internal-rpc/journal-wire";
import type { Cleanup } from "@/lib/queues/session-lifecycle/cleanup";
import type { JournalLetter } from "@/lib/queues/session-lifecycle/envelope/letter";
import type { Requeued } from "@/lib/queues/session-lifecycle/operations";

/** The finding that stops everything: it is not in the list any more. */
export function gone(requeued: Requeued | null): Finding {
  const code = "letter_active";
  if (requeued === null) {
    return {
      code,
      severity: "block",
      title: "This letter is not in the list any more",
      reason: "There is nothing to put back.",
      evidence: [],
    };
  }
  const when = requeued.atMs === null ? "at a time that is not kept" : `at ${utcClock(requeued.atMs)}`;
  return {
    code,
    severity: "block",
    title: `Already requeued ${when}`,
    reason: "A letter is requeued once, and leaves the list. What became of it is in the archive.",
    evidence: [{ label: "as entry", value: requeued.entryId ?? "none: its bytes are no entry" }],
  };
}

/** Whether the worker could do anything with it: the engine's word, else what its bytes show. */
export function decodes(letter: JournalLetter, seen: Seen<Cleanup>, facts: JournalFacts | null): Finding {
  const code = "payload_decodes";
  if (facts?.decodes?.ok === true) return { code, severity: "ok", title: "The item decodes", evidence: [] };
  const stop = (reason: string, label: string, value: string): Finding => ({
    code,
    severity: "block",
    title: "The item cannot be decoded",
    reason,
    evidence: [{ label, value }],
    whatToDo: "find out what wrote it. Its bytes stay as they are, and are in the list.",
  });
  if (letter.odd !== null) {
    return stop("What stands in the list is no dead letter: nothing can name it to the engine.", "it is", letter.odd);
  }
  if (facts?.decodes?.ok === false) {
    return stop("Put back, it would die again at once with the same error.", "decoder", facts.decodes.error);
  }
  if (letter.entryId === null) {
    return stop("It never was an entry: put back, it would die again at once.", "error", letter.error.slice(0, 200));
  }
  if (seen.kind === "read") {
    const reason = "The game server decides whether it decodes.";
    return { code, severity: "ok", title: "The item is JSON", reason, evidence: [] };
  }
  if (seen.why.startsWith("too large")) {
    return {
      code,
      severity: "unknown",
      title: "The item was not read",
      reason: "It is too large to look at from here.",
      evidence: [{ label: "bytes", value: letter.item.length.toLocaleString("en-US") }],
      acknowledgement: "The item could not be checked.",
    };
  }
  return stop("Put back, it would die again at once.", "it is", seen.why);
}

/** What kills its worker each time is dead-lettered unrun, with an error that begins so. */
export function poison({ error }: JournalLetter): Finding[] {
  if (!error.startsWith("poison: ")) return [];
  return [
    {
      code: "poison",
      severity: "warn",
      title: "This entry took its workers with it",
      reason: "Each worker that had it in hand was gone without recording a failure. It has not been run to an end.",
      evidence: [{ label: "error", value: error.slice(0, 200) }],
      whatToDo: "find what in it ends the process, and mend that first.",
      acknowledgement: "The engine was mended for this entry, or may be ended by it again.",
    },
  ];
}

/** Whether its work was requeued before, and died into this letter. */
export function diedAgain({ requeuedFrom }: JournalLetter): Finding {
  const code = "died_again";
  if (requeuedFrom === null) return { code, severity: "ok", title: "Not requeued before", evidence: [] };
  return {
    code,
    severity: "warn",
    title: "This work was requeued before and died again",
    reason: "Another requeue alone will not help where nothing else is different.",
    evidence: [
      {
        label: "death before",
        value: requeuedFrom,
        href: `/dead-letters/session-lifecycle/${encodeURIComponent(requeuedFrom)}`,
      },
    ],
    whatToDo: "find what makes it fail and mend that first.",
    acknowledgement: "It died after a requeue before. I know what is different now.",
  };
}
