import Link from "next/link";
import { Glyph } from "@/components/ui/glyph";
import { LinkButton } from "@/components/ui/link-button";
import type { Status } from "@/lib/domain/status";

/** The first line of the page: what is wrong, in words, with the way to its rows. */
export function StatusSection({ status, stale }: { status: Status; stale: boolean }) {
  const { mark, parts, facts, review } = status;
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
      {facts.length > 0 ? (
        <ul className="facts">
          {facts.map((fact) => (
            <li key={fact.text}>
              <Glyph name={fact.mark} />
              <span>{fact.text}</span>
            </li>
          ))}
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
