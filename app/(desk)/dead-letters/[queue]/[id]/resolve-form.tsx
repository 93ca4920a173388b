"use client";

import { useState } from "react";
import { decisionLost, decisionProblem } from "@/app/(desk)/dead-letters/decision-problem";
import { reopenLetters, resolveLetters } from "@/app/(desk)/dead-letters/decisions";
import { ProblemCallout } from "@/app/(desk)/dead-letters/problem-callout";
import { useSend } from "@/app/(desk)/use-send";
import { Button } from "@/components/ui/button";
import { Need } from "@/components/ui/callout";
import { TextArea } from "@/components/ui/field";
import { REASON_MAX, reasonLacks } from "@/lib/domain/gate";
import type { ResolveVerb } from "@/lib/domain/resolve";

const WORDS = {
  resolve: {
    label: "Reason for resolving",
    button: "Resolve 1 letter",
    next: "It leaves the open list and stays in the history. The game’s row is not touched.",
    moved: "This letter is not open any more, so it was not resolved.",
    send: resolveLetters,
  },
  reopen: {
    label: "Reason for reopening",
    button: "Reopen 1 letter",
    next: "It is back in the open list. The game’s row is not touched.",
    moved: "This letter is not resolved any more, so it was not reopened.",
    send: reopenLetters,
  },
} as const satisfies Record<ResolveVerb, unknown>;

type Props = { verb: ResolveVerb; queue: string; letterId: string; main: boolean };

/** A person's decision on this letter, with its reason. `main`: it is what the page asks for. */
export function ResolveForm({ verb, queue, letterId, main }: Props) {
  const words = WORDS[verb];
  // Done, or somebody else was faster: the page as it is now says which.
  const { sending, problem, send } = useSend("answered");
  const [reason, setReason] = useState("");
  const lacks = reasonLacks(reason);
  const stop = sending ? "Sending" : lacks && `Still needed: ${lacks}.`;

  function decide() {
    const asked = words.send({ queue: queue as "persistence-retry", letterIds: [letterId], reason });
    return send(asked.catch(decisionLost), (result) => decisionProblem(result, words.moved));
  }

  return (
    <form
      className="acks"
      onSubmit={(event) => {
        event.preventDefault();
        if (stop === null) void decide();
      }}
    >
      <ProblemCallout problem={problem} />
      <TextArea
        label={words.label}
        help="Saved in the audit log under your name."
        value={reason}
        maxLength={REASON_MAX}
        onChange={(event) => setReason(event.target.value)}
      />
      <Need>{stop ?? words.next}</Need>
      <Button
        type="submit"
        variant={main ? "primary" : undefined}
        size={main ? "lg" : undefined}
        wide
        disabledReason={stop}
      >
        {sending ? "Sending" : words.button}
      </Button>
    </form>
  );
}
