"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { type Problem, problemOf } from "@/app/(desk)/action-problem";
import { ProblemCallout } from "@/app/(desk)/dead-letters/problem-callout";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { useShortcut } from "@/components/ui/keyboard";
import { REASON_MAX, reasonLacks } from "@/lib/domain/gate";
import { groupBy } from "@/lib/domain/group";
import { RESOLVE_MAX } from "@/lib/domain/resolve";
import { decisionLost, decisionProblem, partlyDone } from "./decision-problem";
import { resolveLetters } from "./decisions";
import { listMatching } from "./list-matching";
import { type Selected, useSelection } from "./selection";

const MOVED = "None of these letters is open any more.";
const UNLISTED = { refused: "Nothing was selected.", failed: "What matches could not be read." };
const CAPPED: Problem = {
  title: `The newest ${RESOLVE_MAX.toLocaleString("en-US")} letters are selected.`,
  detail: "One decision takes no more: narrow the filter, or decide the others after these.",
};

/**
 * What can be done with the ticked letters, while there are any: resolve them together, with one reason. `query`: the
 * address that the list is of.
 */
export function SelectionBar({ query }: { query: string }) {
  const router = useRouter();
  const { letters, select } = useSelection();
  const [reason, setReason] = useState("");
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const clear = () => {
    select(letters, false);
    setProblem(null);
  };
  useShortcut("Escape", clear);
  useShortcut("* a", () => void selectMatching());
  if (letters.length === 0 && problem === null) return null;
  const lacks = reasonLacks(reason);
  const stop = sending ? "Sending" : lacks && `Still needed: ${lacks}.`;

  async function selectMatching() {
    const result = await listMatching(query).catch(decisionLost);
    if (result.kind !== "ok") return setProblem(problemOf(result, UNLISTED));
    // Those alone, so that the list of one decision is not longer than it may be.
    select(letters, false);
    select(result.value.letters, true);
    setProblem(result.value.more ? CAPPED : null);
  }

  async function send() {
    setSending(true);
    const { answered, problem: found } = await resolveAll(letters, reason);
    setSending(false);
    setProblem(found);
    if (answered.length === 0) return;
    // What was answered is decided, by this person or by another: the list as it is now shows which.
    select(answered, false);
    if (answered.length === letters.length) setReason("");
    router.refresh();
  }

  if (letters.length === 0)
    return (
      <div className="bulk told">
        <ProblemCallout problem={problem} />
        <Button variant="quiet" icon="x" aria-label="Dismiss" onClick={clear} />
      </div>
    );
  return (
    <form
      className="bulk"
      aria-label="Selection"
      onSubmit={(event) => {
        event.preventDefault();
        if (stop === null) void send();
      }}
    >
      <p aria-live="polite">
        <b>{letters.length.toLocaleString("en-US")}</b> selected
      </p>
      <TextField
        label="Reason for resolving"
        value={reason}
        maxLength={REASON_MAX}
        onChange={(event) => setReason(event.target.value)}
        help={stop ?? "They leave the open list and stay in the history. The game’s rows are not touched."}
      />
      <Button type="submit" variant="primary" disabledReason={stop}>
        {`Resolve ${letters.length.toLocaleString("en-US")} ${letters.length === 1 ? "letter" : "letters"}`}
      </Button>
      <Button onClick={() => void selectMatching()}>Select all that match</Button>
      <Button variant="quiet" icon="x" aria-label="Clear selection" onClick={clear} />
      <ProblemCallout problem={problem} />
    </form>
  );
}

/** One decision for each queue. The first that is not answered is told, and those after it are not made. */
async function resolveAll(letters: readonly Selected[], reason: string) {
  const answered: Selected[] = [];
  let changed = 0;
  let problem: Problem | null = null;
  for (const [queue, of] of groupBy(letters, (letter) => letter.queue)) {
    const result = await resolveLetters({ queue, letterIds: of.map(({ id }) => id), reason }).catch(decisionLost);
    if (result.kind !== "ok" || result.value.kind !== "done") {
      problem = decisionProblem(result, MOVED);
      break;
    }
    changed += result.value.changed;
    answered.push(...of);
  }
  return { answered, problem: partlyDone({ changed, asked: letters.length }, problem, MOVED) };
}
