"use client";

import Link from "next/link";
import { useEffect, useRef } from "react";
import { ProblemCallout } from "@/app/(desk)/dead-letters/problem-callout";
import { LiveTime } from "@/components/ui/live-time";
import { StateTag } from "@/components/ui/state-tag";
import type { StateName } from "@/components/ui/state-words";
import type { LetterState } from "@/lib/domain/dead-letter";
import type { OperationView } from "@/lib/domain/requeue";
import { useRequeue } from "./requeue-provider";

const STORE_SENTENCES: Record<LetterState, string> = {
  active: "",
  awaiting: "Requeued outside this desk. Its job still waits or is being worked.",
  recovered: "Requeued outside this desk, and recovered.",
  superseded: "Requeued outside this desk, and settled without effect.",
  died_again: "Requeued outside this desk, and died again.",
  left_unproved: "Requeued outside this desk. Its job is gone, and no outcome is kept.",
};

function stateOf(operation: OperationView): StateName {
  if (operation.state === "not_sent" || operation.state === "planned") return "active";
  if (operation.by === "you") return "unknown";
  return operation.outcome ?? "awaiting";
}

/** What became of the click, until it is known. Spoken when it changes. */
export function OutcomePanel({ storeState, requeuedMs }: { storeState: LetterState; requeuedMs: number | null }) {
  const { active, queue, operation, problem, pressed } = useRequeue();
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is gone: it goes where the answer is.
  useEffect(() => {
    if (pressed) heading.current?.focus();
  }, [pressed]);
  return (
    <section className={active ? "guard" : "blk"} aria-labelledby="out-h">
      <div className="sechead">
        <h2 id="out-h" ref={heading} tabIndex={-1}>
          Outcome
        </h2>
      </div>
      <div className="outcome" aria-live="polite">
        {operation ? (
          <>
            <StateTag state={stateOf(operation)} />
            <p>{operation.sentence}</p>
            {operation.nextLetterId ? (
              <p>
                <Link className="link" href={`/dead-letters/${queue}/${operation.nextLetterId}`} prefetch={false}>
                  Open the new letter
                </Link>
              </p>
            ) : null}
            <p className="faint">
              Pressed by {operation.by}
              {operation.intendedMs === null ? null : (
                <>
                  {" "}
                  <LiveTime atMs={operation.intendedMs} nowMs={operation.atMs} />
                </>
              )}
              , operation <span className="mono">{operation.operationId.slice(0, 8)}</span>
            </p>
          </>
        ) : (
          <>
            <StateTag state={storeState} />
            <p>{STORE_SENTENCES[storeState]}</p>
            {requeuedMs === null ? null : (
              <p className="faint">
                Requeued <LiveTime atMs={requeuedMs} nowMs={requeuedMs} />
              </p>
            )}
          </>
        )}
      </div>
      <ProblemCallout problem={problem} />
    </section>
  );
}
