import type { ArchivedState } from "@/lib/domain/archived-letter";
import { countParts } from "@/lib/domain/state-parts";

/** What became of letters, as a bar with its words below. */
export function StateSplit({ counts }: { counts: Partial<Record<ArchivedState, number>> }) {
  // What waits for somebody stands first.
  const parts = countParts(counts)
    .toReversed()
    .filter(({ count }) => count > 0);
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  let before = 0;
  return (
    <>
      <svg className="split" aria-hidden="true">
        {parts.map(({ part, count }) => {
          const x = (before / total) * 100;
          before += count;
          const width = Math.max(2, (count / total) * 100 - 1);
          return <rect key={part} className={`b-${part}`} x={`${x}%`} width={`${width}%`} height="8" />;
        })}
      </svg>
      <div className="splitt">
        {parts.map(({ part, word, count }) => (
          <span key={part}>
            {count.toLocaleString("en-US")} {word}
          </span>
        ))}
      </div>
    </>
  );
}
