"use client";

import { ProblemCallout } from "@/app/(desk)/dead-letters/problem-callout";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { FindingSummary, Findings } from "@/components/ui/findings";
import type { Role } from "@/lib/auth/role";
import { whyNotRole } from "@/lib/auth/why-not";
import type { LetterState } from "@/lib/domain/dead-letter";
import { gateOf } from "@/lib/domain/gate";
import { OutcomePanel } from "./outcome-panel";
import { QuietDecision } from "./quiet-decision";
import { RequeueForm } from "./requeue-form";
import { useRequeue } from "./requeue-provider";
import { ResolveForm } from "./resolve-form";
import { type Resolution, ResolvedPanel } from "./resolved-panel";

type Props = {
  role: Role;
  environment: string;
  storeState: LetterState;
  requeuedMs: number | null;
  /** A person decided that nothing is owed; null: nobody did. */
  resolution: Resolution | null;
  nowMs: number;
};

/** The right half: what the preflight found, and below it the one way to act on it. */
export function RequeueAside({ role, environment, storeState, requeuedMs, resolution, nowMs }: Props) {
  const { active, queue, letterId, mayRequeue, preflight, plan, reading, operation } = useRequeue();
  const findings = preflight?.kind === "read" ? preflight.value.findings : [];
  // An operation that ended without putting it back leaves the letter dead: it may be tried again.
  const putBack = operation?.answer === "requeued" || operation?.answer === "already_requeued";
  const waiting = operation !== null && (operation.state === "intended" || operation.state === "unknown");
  if (!active) {
    return (
      <aside className="side2" aria-label="Outcome">
        <OutcomePanel storeState={storeState} requeuedMs={requeuedMs} />
      </aside>
    );
  }
  return (
    <aside className="side2" aria-label="Preflight and requeue">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the findings scroll, and must be reachable by keyboard. */}
      <section className="blk" aria-labelledby="pf-h" tabIndex={0} aria-busy={reading}>
        <div className="sechead">
          <h2 id="pf-h">Preflight</h2>
          <span className="end">
            <FindingSummary findings={findings} />
          </span>
        </div>
        <Found />
      </section>
      {operation ? <OutcomePanel storeState={storeState} requeuedMs={requeuedMs} /> : null}
      {putBack || waiting ? null : resolution ? (
        <ResolvedPanel
          {...{ resolution, nowMs, queue, letterId }}
          forbidden={mayRequeue ? null : whyNotRole(role, "operator")}
        />
      ) : (
        <Act
          role={role}
          environment={environment}
          blocked={gateOf(findings).kind === "blocked"}
          ready={plan !== null}
          mayRequeue={mayRequeue}
        />
      )}
    </aside>
  );
}

function Found() {
  const { preflight, reading } = useRequeue();
  if (preflight?.kind === "read") return <Findings findings={preflight.value.findings} />;
  if (preflight === null) return <p className="muted">{reading ? "Reading." : "This queue has no requeue here."}</p>;
  return (
    <ErrorPanel title="The preflight could not be read" code={preflight.kind === "failed" ? preflight.code : undefined}>
      {preflight.sentence}
    </ErrorPanel>
  );
}

type ActProps = { role: Role; environment: string; blocked: boolean; ready: boolean; mayRequeue: boolean };

/** The form, or why there is none. A blocked letter has no control at all, for any role. */
function Act({ role, environment, blocked, ready, mayRequeue }: ActProps) {
  const { problem, queue, letterId } = useRequeue();
  if (!mayRequeue) {
    const forbidden = whyNotRole(role, "operator");
    return (
      <section className="guard" aria-labelledby="no-h">
        <h2 id="no-h">You can look, not requeue</h2>
        <p className="muted">
          Requeueing in {environment} needs the <b>operator</b> role. You are {role === "admin" ? "an" : "a"}{" "}
          <b>{role}</b>. Preflight, payloads with redaction and outcomes stay open to you.
        </p>
        {blocked ? null : (
          <Button variant="primary" size="lg" wide disabledReason={forbidden}>
            Requeue 1 letter
          </Button>
        )}
        <Button wide disabledReason={forbidden}>
          Resolve 1 letter
        </Button>
      </section>
    );
  }
  if (blocked) {
    return (
      <section className="guard" aria-labelledby="blocked-h">
        <h2 id="blocked-h">This letter cannot be requeued</h2>
        <p className="muted">The preflight found a block. It is refused for every role; the letter stays as it is.</p>
        <ProblemCallout problem={problem} />
        <ResolveForm verb="resolve" queue={queue} letterId={letterId} main />
      </section>
    );
  }
  if (!ready) {
    return (
      <section className="guard" aria-labelledby="wait-h">
        <h2 id="wait-h">Requeue this letter</h2>
        {problem ? <ProblemCallout problem={problem} /> : <p className="muted">The plan is being made.</p>}
      </section>
    );
  }
  return (
    <>
      <RequeueForm />
      <section className="guard" aria-label="Resolve this letter">
        <QuietDecision summary="Resolve without a requeue" verb="resolve" queue={queue} letterId={letterId} />
      </section>
    </>
  );
}
