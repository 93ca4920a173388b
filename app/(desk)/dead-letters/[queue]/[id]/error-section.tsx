import { RunbookLink } from "@/components/queue/runbook-link";
import { entryOfError } from "@/lib/domain/runbook";

/** The error that the letter died of, whole, as text. */
export function ErrorSection({ error, bytes }: { error: string; bytes: number }) {
  const cut = new TextEncoder().encode(error).length < bytes;
  const entry = entryOfError(error);
  return (
    <section className="blk first" aria-labelledby="err-h">
      <div className="sechead">
        <h2 id="err-h">Error</h2>
        {cut ? <span className="sub">the first part of {bytes.toLocaleString("en-US")} bytes</span> : null}
        {entry ? (
          <span className="end">
            <RunbookLink entry={entry} about="this error" />
          </span>
        ) : null}
      </div>
      <div className="code wrap errbox">{error === "" ? "No error was recorded." : error}</div>
    </section>
  );
}
