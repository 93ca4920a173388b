import Link from "next/link";
import { cx } from "@/components/ui/cx";

/** `1,284`; a count that stopped at its cap (give the cap) is `10,000+`, an estimate is `about 1,284`. */
export function countText(value: number, kind: "exact" | "capped" | "estimated" = "exact"): string {
  const written = value.toLocaleString("en-US");
  if (kind === "capped") return `${written}+`;
  return kind === "estimated" ? `about ${written}` : written;
}

/** A count up to a cap: `50,000+` where it stopped. */
export const cappedText = ({ count, capped }: { count: number; capped: boolean }) =>
  countText(count, capped ? "capped" : "exact");

type Props = {
  /** Null: this store has no such thing; give `why`. */
  value: number | null;
  href: string;
  kind?: "exact" | "capped" | "estimated";
  /** `bad` for what waits for a decision, `late` for what is overdue; a zero is never either. */
  tone?: "bad" | "late";
  /** Written instead of the number, for ages. */
  text?: string;
  why?: string;
};

/** A number that opens the rows behind it. A zero is a link too, in grey; what does not apply is a dash, never 0. */
export function NumberLink({ value, href, kind, tone, text, why = "Not applicable to this store" }: Props) {
  if (value === null) return <NotApplicable why={why} />;
  return (
    <Link href={href} prefetch={false} className={cx("num", value === 0 ? "zero" : tone)}>
      {text ?? countText(value, kind)}
    </Link>
  );
}

/** The dash of a concept that a store does not have. */
export function NotApplicable({ why }: { why: string }) {
  return (
    <span className="na" data-tip={why}>
      –<span className="vh">not applicable</span>
    </span>
  );
}
