import { LinkButton } from "@/components/ui/link-button";

type Props = {
  /** Addresses by cursor; null where there is no such page. */
  first: string | null;
  previous: string | null;
  next: string | null;
  /** `1 to 100 of 1,284`, or `100 rows` where the place is not known. */
  label: string;
};

/** Pages of a list by cursor: a row that arrives or leaves moves no other row to another page. */
export function Pager({ first, previous, next, label }: Props) {
  if (!first && !previous && !next) return null;
  return (
    <nav className="pager" aria-label="Pages">
      <span className="faint">{label}</span>
      {first ? (
        <LinkButton href={first} size="sm" variant="quiet">
          {"First page"}
        </LinkButton>
      ) : null}
      {previous ? (
        <LinkButton href={previous} size="sm" icon="arrow-left">
          {"Previous"}
        </LinkButton>
      ) : null}
      {next ? (
        <LinkButton href={next} size="sm" iconEnd="arrow-right">
          {"Next"}
        </LinkButton>
      ) : null}
    </nav>
  );
}
