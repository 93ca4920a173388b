import Link from "next/link";
import { RunbookLink } from "@/components/queue/runbook-link";
import { Glyph } from "@/components/ui/glyph";
import { LinkButton } from "@/components/ui/link-button";
import type { Status } from "@/lib/domain/status";

/** The first line of the page: what is wrong, in words, with the way to its rows. */
export function StatusSection({ status, stale }: { status: Status; stale: boolean }) {
  const { mark, parts, facts, review, runbook } = status;
  return (
    <section className="status" aria-labelledby="status-line">
      <h1 id="status-line" className={stale ? "faint" : undefined}>
        <Glyph name={stale ? "warn" : mark} />
        {parts.map(({ text, href, muted }, index) =>
          href ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the sentence.
            <Link key={index} href={href} prefetch={false}>
              {text}
            </Link>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the sentence.
            <span key={index} className={muted ? "muted" : undefined}>
              {text}
            </span>
          ),
        )}
      </h1>
      {facts.length > 0 || runbook ? (
        <ul className="facts">
          {facts.map((fact) => (
            <li key={fact.text}>
              <Glyph name={fact.mark} />
              <span>{fact.text}</span>
            </li>
          ))}
          {runbook ? (
            <li>
              <RunbookLink entry={runbook} about="what to do" />
            </li>
          ) : null}
        </ul>
      ) : null}
      {review ? (
        <div className="acts">
          <LinkButton href={review} variant="primary">
            Review dead letters
          </LinkButton>
        </div>
      ) : null}
    </section>
  );
}
