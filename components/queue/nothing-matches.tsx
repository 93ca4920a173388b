import { FilteredEmpty } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { cappedText } from "@/components/ui/number-link";

/** One part of the filter: what it says, and how many rows there are without it. */
export type KeptOut = { key: string; says: string; name: string; href: string; count: number; capped: boolean };

/** Nothing matches the filter: which part to widen, and what is there then. */
export function NothingMatches({ parts, clearHref }: { parts: readonly KeptOut[]; clearHref: string }) {
  const best = parts.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count);
  const title = parts.length === 1 ? "Nothing matches this filter" : `Nothing matches these ${parts.length} filters`;
  return (
    <FilteredEmpty
      heading="h2"
      title={title}
      actions={
        <>
          {best.slice(0, 2).map(({ key, name, href }) => (
            <LinkButton key={key} href={href}>
              {`Remove the ${name} filter`}
            </LinkButton>
          ))}
          <LinkButton href={clearHref} variant="quiet">
            Clear all
          </LinkButton>
        </>
      }
    >
      {best.length === 0 ? "Leaving out any single one of them does not help." : null}
      {best.map(({ key, says, count, capped }) => (
        <span key={key}>
          Without <b>{says}</b> there {count === 1 ? "is" : "are"} {cappedText({ count, capped })}.{" "}
        </span>
      ))}
    </FilteredEmpty>
  );
}
