"use client";

import { PayloadView } from "@/components/ui/payload-view";
import type { Letter } from "@/lib/domain/dead-letter";
import { useRequeue } from "./requeue-provider";

/** The saved payload by its own characters, with secrets masked; or why it is not shown. */
export function PayloadSection({ payload }: { payload: Letter["payload"] }) {
  const { preflight } = useRequeue();
  const effects = (preflight?.kind === "read" && preflight.value.effects) || [];
  const written = effects.filter((effect) => effect.change === "writes" || effect.change === "harmful");
  const heading = (
    <>
      <h2 id="pay-h">Payload</h2>
      <span className="sub">{payload.bytes.toLocaleString("en-US")} bytes</span>
    </>
  );
  return (
    <section className="blk" aria-labelledby="pay-h">
      {payload.text === null || payload.raw === null ? (
        <>
          <div className="sechead">{heading}</div>
          <p className="muted">{payload.problem}</p>
        </>
      ) : (
        <PayloadView
          text={payload.text}
          raw={payload.raw}
          masked={payload.masked}
          mark={written.flatMap((effect) => effect.field.split(".")[0] ?? [])}
          heading={heading}
        />
      )}
    </section>
  );
}
