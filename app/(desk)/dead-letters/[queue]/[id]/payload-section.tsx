import { PayloadView } from "@/components/ui/payload-view";
import type { Letter } from "@/lib/domain/dead-letter";

/** The saved payload by its own characters, with secrets masked; or why it is not shown. */
export function PayloadSection({ payload }: { payload: Letter["payload"] }) {
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
          mark={["payload"]}
          heading={heading}
        />
      )}
    </section>
  );
}
