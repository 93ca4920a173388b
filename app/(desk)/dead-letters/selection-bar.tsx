"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { Problem } from "@/app/(desk)/dead-letters/problem";
import { ProblemCallout } from "@/app/(desk)/dead-letters/problem-callout";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { useShortcut } from "@/components/ui/keyboard";
import { REASON_MAX } from "@/lib/domain/gate";
import { groupBy } from "@/lib/domain/group";
import { reasonLacks } from "@/lib/domain/resolve";
import { decisionLost, decisionProblem } from "./decision-problem";
import { resolveLetters } from "./decisions";
import { type Selected, useSelection } from "./selection";

const MOVED = "None of these letters is open any more.";

/** What can be done with the ticked letters, while there are any: resolve them together, with one reason. */
export function SelectionBar() {
  const router = useRouter();
  const { letters, select } = useSelection();
  const [reason, setReason] = useState("");
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const clear = () => select(letters, false);
  useShortcut("Escape", clear);
  if (letters.length === 0) return null;
  const lacks = reasonLacks(reason);
  const stop = sending ? "Sending" : lacks && `Still needed: ${lacks}.`;

  async function send() {
    setSending(true);
    const found = await resolveAll(letters, reason);
    setSending(false);
    setProblem(found);
    if (found !== null) return;
    setReason("");
    clear();
    router.refresh();
  }

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
        <b>{letters.length}</b> selected
      </p>
      <TextField
        label="Reason for resolving"
        value={reason}
        maxLength={REASON_MAX}
        onChange={(event) => setReason(event.target.value)}
        help={stop ?? "They leave the open list and stay in the history. The game’s rows are not touched."}
      />
      <Button type="submit" variant="primary" disabledReason={stop}>
        {`Resolve ${letters.length} ${letters.length === 1 ? "letter" : "letters"}`}
      </Button>
      <Button variant="quiet" icon="x" aria-label="Clear selection" onClick={clear} />
      <ProblemCallout problem={problem} />
    </form>
  );
}

/** One decision for each queue. The first that changes nothing is told, and those after it are not made. */
async function resolveAll(letters: readonly Selected[], reason: string): Promise<Problem | null> {
  for (const [queue, of] of groupBy(letters, (letter) => letter.queue)) {
    const result = await resolveLetters({ queue, letterIds: of.map(({ id }) => id), reason }).catch(decisionLost);
    const problem = decisionProblem(result, MOVED);
    if (problem !== null) return problem;
  }
  return null;
}
