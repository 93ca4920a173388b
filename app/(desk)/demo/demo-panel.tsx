"use client";

import { useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect, useRef, useState, useTransition } from "react";
import { beginFault, breakCatalog, endFault, mendCatalog } from "@/app/(desk)/demo/actions";
import { demoWords } from "@/app/(desk)/demo/demo-words";
import { FaultList } from "@/app/(desk)/demo/fault-list";
import { resultWords } from "@/app/(desk)/demo/result-words";
import { overviewQuery } from "@/app/(desk)/live/use-overview";
import { Button } from "@/components/ui/button";
import { StateTag } from "@/components/ui/state-tag";
import type { DemoView } from "@/lib/domain/overview";
import type { Reading } from "@/lib/domain/queue";

type Props = {
  demo: Reading<DemoView>;
  /** Why this person may not act; null: they may. */
  forbidden: string | null;
  /** The desk does not answer. */
  stale: boolean;
};

/** What the demo world is doing, and what can be done to it: its catalog broken or mended, and eight faults. */
export function DemoPanel({ demo, forbidden, stale }: Props) {
  const client = useQueryClient();
  const [result, setResult] = useState<string | null>(null);
  const [sending, start] = useTransition();
  const run = (act: () => ReturnType<typeof breakCatalog>) =>
    start(async () => {
      const ending = await act().catch(() => null);
      setResult(resultWords(ending));
      await client.invalidateQueries(overviewQuery);
    });
  const fault = demo.kind === "read" ? demo.value.fault : null;
  const seen = useRef<string | null>(null);
  // What was said when a fault was made is no longer so once it is over by itself.
  useEffect(() => {
    const name = fault?.fault ?? null;
    if (name === null && seen.current !== null && !sending) setResult(null);
    seen.current = name;
  }, [fault, sending]);
  const { state, word, sentences } = demoWords(demo);
  const waits = sending ? "It is being sent" : stale ? "The desk does not answer" : null;
  const off = forbidden ?? waits ?? (demo.kind === "read" ? null : demo.sentence);
  const broken = demo.kind === "read" && demo.value.brokenSinceMs !== null;
  return (
    <section aria-labelledby="demo-h">
      <div className="sechead">
        <h2 id="demo-h">Demo world</h2>
        <span className="end">
          <StateTag state={state}>{word}</StateTag>
        </span>
      </div>
      <div className="demo">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <div className="row">
          <Button
            onClick={() => run(() => breakCatalog(undefined))}
            disabledReason={off ?? (broken ? "The catalog is broken already" : null)}
          >
            Break the catalog
          </Button>
          <Button
            onClick={() => run(() => mendCatalog(undefined))}
            disabledReason={off ?? (broken ? null : "The catalog is whole")}
          >
            Mend it
          </Button>
        </div>
        <output>{result}</output>
        <FaultList
          open={fault}
          off={off}
          onBegin={(fault) => run(() => beginFault(fault))}
          onEnd={(fault) => run(() => endFault(fault))}
        />
        {forbidden ? <p className="faint">{forbidden}</p> : null}
        {broken ? null : (
          <p className="faint">
            <Link className="link" href="/dead-letters" prefetch={false}>
              Dead letters
            </Link>{" "}
            that came of it stay until somebody requeues them.
          </p>
        )}
      </div>
    </section>
  );
}
