import type { Gaps } from "@/lib/console/overview/gaps";

/** What cannot be seen here, said once and quietly. */
export function GapsSection({ gaps }: { gaps: readonly Gaps[] }) {
  if (gaps.length === 0) return null;
  return (
    <section aria-labelledby="gaps-h">
      <div className="sechead">
        <h2 id="gaps-h">What this store cannot show</h2>
      </div>
      <dl className="gaps">
        {gaps.map(({ of, sentences }) => (
          <div key={of}>
            <dt>{of}</dt>
            {sentences.map((sentence) => (
              <dd key={sentence}>{sentence}</dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  );
}
