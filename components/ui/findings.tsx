import { Glyph } from "@/components/ui/glyph";
import type { GlyphName } from "@/components/ui/glyph-paths";
import { StateTag } from "@/components/ui/state-tag";
import type { Evidence, Finding, Severity } from "@/lib/domain/preflight";

const LOOK: Record<Severity, { word: string; glyph: GlyphName; rank: number }> = {
  block: { word: "Blocked", glyph: "block", rank: 0 },
  warn: { word: "Warning", glyph: "warn", rank: 1 },
  unknown: { word: "Unknown", glyph: "unknown", rank: 2 },
  ok: { word: "OK", glyph: "ok", rank: 3 },
  not_configured: { word: "Not configured", glyph: "unconfigured", rank: 4 },
};

/** What a preflight found, the worst first: the fact, the rows that prove it, and what to do. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const sorted = findings.toSorted((a, b) => LOOK[a.severity].rank - LOOK[b.severity].rank);
  return (
    <ul className="finds">
      {sorted.map((finding) => (
        <FindingItem key={finding.code} finding={finding} />
      ))}
    </ul>
  );
}

function FindingItem({ finding }: { finding: Finding }) {
  const { word, glyph } = LOOK[finding.severity];
  return (
    <li className={`find f-${finding.severity}`}>
      <Glyph name={glyph} />
      <div>
        <h3>
          <span className="sev">{word}</span>
          {finding.title}
        </h3>
        {finding.reason ? <p>{finding.reason}</p> : null}
        {finding.evidence.length > 0 ? <EvidenceRows evidence={finding.evidence} /> : null}
        {finding.whatToDo ? (
          <p className="todo">
            <b>What to do:</b> {finding.whatToDo}
          </p>
        ) : null}
        {finding.runbook ? (
          // In a tab of its own: what was written into the form beside it stays.
          <a
            className="link rb"
            href={`/runbook#${finding.runbook}`}
            target="_blank"
            rel="noopener"
            aria-label={`Runbook: ${finding.title}, in a new tab`}
          >
            Runbook
          </a>
        ) : null}
      </div>
    </li>
  );
}

function EvidenceRows({ evidence }: { evidence: readonly Evidence[] }) {
  return (
    <dl className="evd">
      {evidence.map(({ label, value, href }) => (
        <div key={`${label} ${value}`}>
          <dt>{label}</dt>
          <dd>
            {href ? (
              <a className="link" href={href}>
                {value}
              </a>
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const many = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;

/** How many of each, beside the heading of a preflight. */
export function FindingSummary({ findings }: { findings: readonly Finding[] }) {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const [blocks, warnings, unknowns, oks] = [count("block"), count("warn"), count("unknown"), count("ok")];
  return (
    <span className="pfsum">
      {blocks > 0 ? <StateTag state="block">{blocks} blocked</StateTag> : null}
      {warnings > 0 ? <StateTag state="warn">{many(warnings, "warning", "warnings")}</StateTag> : null}
      {unknowns > 0 ? <StateTag state="unknown">{unknowns} unknown</StateTag> : null}
      {oks > 0 ? <StateTag state="ok">{oks} ok</StateTag> : null}
    </span>
  );
}
