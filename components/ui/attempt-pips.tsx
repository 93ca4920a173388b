import { cx } from "@/components/ui/cx";

const DRAWN_MAX = 12;

/**
 * Attempts of the limit: the text carries it, the pips repeat it. The pip before the last permitted one is amber: one
 * more failure and the next is the end. `words` writes `5 of 5` for a page, otherwise `5/5` for a list.
 */
export function AttemptPips({ attempts, limit, words }: { attempts: number; limit: number | null; words?: boolean }) {
  if (limit === null) return <span>{attempts}</span>;
  const nextIsLast = attempts === limit - 1;
  return (
    <span className="attempts">
      {words ? (
        `${attempts} of ${limit}`
      ) : (
        <span>
          {attempts}
          <span className="faint">/{limit}</span>
        </span>
      )}
      {limit <= DRAWN_MAX ? (
        <span className="pips" aria-hidden="true">
          {Array.from({ length: limit }, (_, pip) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a pip is its place.
            <i key={pip} className={cx(pip < attempts && (nextIsLast && pip === attempts - 1 ? "last" : "on"))} />
          ))}
        </span>
      ) : null}
    </span>
  );
}
