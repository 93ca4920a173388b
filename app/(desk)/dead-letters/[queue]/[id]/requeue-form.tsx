"use client";

import { useRef, useState } from "react";
import { ProblemCallout } from "@/app/(desk)/dead-letters/problem-callout";
import { Button } from "@/components/ui/button";
import { Need } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { useClockMode } from "@/components/ui/db-clock";
import { TextArea } from "@/components/ui/field";
import { useShortcut } from "@/components/ui/keyboard";
import { gateOf, REASON_MAX, stillNeeded } from "@/lib/domain/gate";
import { useRequeue } from "./requeue-provider";

/** The guarded click: each warning acknowledged by itself, a reason where one is due, then one button. */
export function RequeueForm() {
  const { plan, sending, reading, problem, confirm } = useRequeue();
  const [acknowledged, setAcknowledged] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const stale = useClockMode() === "stale";
  useShortcut("r", (event) => {
    event.preventDefault();
    firstMissing(form.current)?.focus();
  });
  const gate = gateOf(plan?.preflight.findings ?? []);
  if (gate.kind === "blocked") return null;
  const codes = gate.acknowledge.map((finding) => finding.code).filter((code) => acknowledged.has(code));
  const missing = stillNeeded(gate, codes, reason);
  const stop = stale ? STALE : sending ? "Sending" : reading ? "The preflight is being read" : needOf(missing);

  return (
    <form
      ref={form}
      className="guard"
      aria-labelledby="rq-h"
      onSubmit={(event) => {
        event.preventDefault();
        if (stop === null) confirm(codes, reason);
      }}
    >
      <h2 id="rq-h">Requeue this letter</h2>
      <ProblemCallout problem={problem} />
      {gate.acknowledge.length > 0 ? (
        <fieldset className="acks">
          <legend className="vh">Acknowledge each warning</legend>
          {gate.acknowledge.map((finding) => (
            <Checkbox
              key={finding.code}
              label={finding.acknowledgement ?? finding.title}
              checked={acknowledged.has(finding.code)}
              onChange={(event) => {
                const next = new Set(acknowledged);
                if (event.target.checked) next.add(finding.code);
                else next.delete(finding.code);
                setAcknowledged(next);
              }}
            />
          ))}
        </fieldset>
      ) : null}
      <TextArea
        label={gate.reasonMin > 0 ? "Reason" : "Reason (optional)"}
        help="Saved in the audit log under your name."
        value={reason}
        maxLength={REASON_MAX}
        onChange={(event) => setReason(event.target.value)}
      />
      <Need>{stop ?? "Preflight runs once more at the moment of requeue."}</Need>
      <Button type="submit" variant="primary" size="lg" wide disabledReason={stop}>
        {sending ? "Sending" : "Requeue 1 letter"}
      </Button>
    </form>
  );
}

const STALE = "Requeue is off until ages can be read from the database clock again.";

const needOf = (missing: string[]) => (missing.length > 0 ? `Still needed: ${missing.join(", ")}.` : null);

/** What `r` goes to: the first box that is not checked, else the reason. Never the button: a space would press it. */
function firstMissing(form: HTMLFormElement | null): HTMLElement | null {
  return (
    form?.querySelector<HTMLElement>("input[type=checkbox]:not(:checked)") ?? form?.querySelector("textarea") ?? null
  );
}
