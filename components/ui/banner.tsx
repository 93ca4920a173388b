import type { ReactNode } from "react";
import { Glyph } from "@/components/ui/glyph";
import type { GlyphName } from "@/components/ui/glyph-paths";

const GLYPH: Record<BannerKind, GlyphName> = { stale: "warn", partial: "warn", readonly: "info" };

/** `stale`: old data is shown. `partial`: a part could not be read. `readonly`: nothing can be changed here. */
export type BannerKind = "stale" | "partial" | "readonly";

/**
 * A fact about the whole page, under the top bar: what is so, since when, and what happens next.
 * `end` holds the next try and its button.
 */
export function Banner({ kind, children, end }: { kind: BannerKind; children: ReactNode; end?: ReactNode }) {
  return (
    <div className={`banner ${kind}`} role="status">
      <Glyph name={GLYPH[kind]} />
      <span>{children}</span>
      {end ? <span className="end">{end}</span> : null}
    </div>
  );
}
