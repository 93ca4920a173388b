import Link from "next/link";
import { RunbookLink } from "@/components/queue/runbook-link";
import { Glyph } from "@/components/ui/glyph";
import type { Signal } from "@/lib/domain/signals";

const GLYPHS = { stands_out: "warn", quiet: "ok", untold: "unknown" } as const;
const STATES = { stands_out: "Stands out", quiet: "Quiet", untold: "Not told" } as const;

/** The operational signals: what stands out first, each with its rows and its line of the runbook. */
export function SignalsSection({ signals }: { signals: readonly Signal[] }) {
  const out = signals.filter(({ state }) => state === "stands_out").length;
  const untold = signals.filter(({ state }) => state === "untold").length;
  return (
    <section className="rail" aria-labelledby="signals-h">
      <div className="sechead">
        <h2 id="signals-h">Signals</h2>
        <span className="end sub">
          {out === 0 ? "none stands out" : `${out} ${out === 1 ? "stands" : "stand"} out`}
          {untold > 0 ? `, ${untold} not told` : ""}
        </span>
      </div>
      <ul>
        {signals.map(({ id, state, title, value, sentence, href, runbook }) => (
          <li key={id} className={state === "stands_out" ? "sig" : "sig off"}>
            <Glyph name={GLYPHS[state]} />
            <b>
              {title}
              <span className="vh">: {STATES[state]}</span>
            </b>
            {value === null ? (
              <span>not told</span>
            ) : href === null ? (
              <span>{value}</span>
            ) : (
              <Link className="num" href={href} prefetch={false} aria-label={`${value}, ${title}: the rows`}>
                {value}
              </Link>
            )}
            <p>
              {sentence} <RunbookLink entry={runbook} about={title} />
            </p>
          </li>
        ))}
      </ul>
      {signals.length === 0 ? <p className="muted">No queue is configured, so nothing is watched.</p> : null}
    </section>
  );
}
