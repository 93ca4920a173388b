"use client";

import { ProblemCallout } from "@/app/(desk)/dead-letters/problem-callout";
import { Button } from "@/components/ui/button";
import { PayloadView } from "@/components/ui/payload-view";
import type { Letter } from "@/lib/domain/dead-letter";
import { markUnseen } from "@/lib/domain/unseen";
import { useRequeue } from "./requeue-provider";
import { useReveal } from "./use-reveal";

type Props = {
  payload: Letter["payload"];
  /** Left out: nothing of the letter is masked, or its store does not have it. `stop`: why this viewer may not. */
  reveal?: { stop: string | null } | null;
};

/** The saved payload by its own characters, with secrets masked until they are revealed; or why it is not shown. */
export function PayloadSection({ payload, reveal: may = null }: Props) {
  const { preflight, queue, letterId } = useRequeue();
  const { revealed, asking, problem, reveal, hide } = useReveal(queue, letterId);
  const effects = (preflight?.kind === "read" && preflight.value.effects) || [];
  const written = effects.filter((effect) => effect.change === "writes" || effect.change === "harmful");
  const shown = revealed?.payload ?? payload;
  const heading = (
    <>
      <h2 id="pay-h">Payload</h2>
      <span className="sub">{payload.bytes.toLocaleString("en-US")} bytes</span>
      {may === null ? null : revealed ? (
        <Button size="sm" icon="eye-off" onClick={hide}>
          Hide again
        </Button>
      ) : (
        <Button size="sm" onClick={reveal} disabledReason={asking ? "Revealing" : may.stop}>
          Reveal what is masked
        </Button>
      )}
    </>
  );
  return (
    <section className="blk" aria-labelledby="pay-h">
      <ProblemCallout problem={problem} />
      {revealed ? (
        <div className="revealed">
          <p className="muted" role="status">
            Nothing is masked now. That you looked is in the audit log under your name.
          </p>
          <div className="code wrap errbox">
            {revealed.error === "" ? "No error was recorded." : markUnseen(revealed.error)}
          </div>
        </div>
      ) : null}
      {shown.text === null || shown.raw === null ? (
        <>
          <div className="sechead">{heading}</div>
          <p className="muted">{shown.problem}</p>
        </>
      ) : (
        <PayloadView
          text={shown.text}
          raw={shown.raw}
          masked={shown.masked}
          mark={written.flatMap((effect) => effect.field.split(".")[0] ?? [])}
          heading={heading}
        />
      )}
    </section>
  );
}
