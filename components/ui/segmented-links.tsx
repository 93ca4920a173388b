import Link from "next/link";
import { Glyph } from "@/components/ui/glyph";
import type { GlyphName } from "@/components/ui/glyph-paths";
import { countText } from "@/components/ui/number-link";

export type Segment = {
  label: string;
  href: string;
  current: boolean;
  glyph?: GlyphName;
  /** Null: not known just now; the segment stays, without a number. */
  count?: number | null;
  countKind?: "exact" | "capped" | "estimated";
};

/** Views of one list that exclude each other, each with its count; an address each, so that Back works. */
export function SegmentedLinks({ label, segments }: { label: string; segments: readonly Segment[] }) {
  return (
    <nav className="seg" aria-label={label}>
      {segments.map(({ label: word, href, current, glyph, count, countKind }) => (
        <Link key={href} href={href} prefetch={false} scroll={false} aria-current={current ? "page" : undefined}>
          {glyph ? <Glyph name={glyph} /> : null}
          {word}
          {count == null ? null : <span className="cnt">{countText(count, countKind)}</span>}
        </Link>
      ))}
    </nav>
  );
}
