import { cx } from "@/components/ui/cx";
import { countText, NumberLink } from "@/components/ui/number-link";

type Props = {
  /** Null: the store has it, but it could not be told. */
  value: number | null;
  /** The rows behind it; null where this desk does not list them. */
  href: string | null;
  tone?: "bad" | "late" | undefined;
  /** Written instead of the number, for ages. */
  text?: string;
  /** The store stopped counting there: at least so many. */
  capped?: boolean;
};

/** A number with the way to its rows. One that could not be told says so and is no zero. */
export function DepthCount({ value, href, tone, text, capped = false }: Props) {
  if (value === null) return <Untold why="This could not be told" />;
  const kind = capped ? "capped" : "exact";
  if (href !== null) return <NumberLink value={value} href={href} tone={tone} text={text} kind={kind} />;
  return (
    <span className={cx("num", value === 0 ? "zero" : tone)} data-tip="Counted here, not listed">
      {text ?? countText(value, kind)}
    </span>
  );
}

/** In the place of a number that exists and could not be had. */
export function Untold({ why }: { why: string }) {
  return (
    <span className="na" data-tip={why}>
      <span aria-hidden="true">?</span>
      <span className="vh">{why}</span>
    </span>
  );
}
