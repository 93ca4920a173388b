import { cx } from "@/components/ui/cx";
import { GLYPH_PATHS, type GlyphName } from "@/components/ui/glyph-paths";

/** The shape of a state in its colour. Decoration: always beside the state's word. */
export function Glyph({ name, className }: { name: GlyphName; className?: string }) {
  return (
    <svg className={cx("s", `s-${name}`, className)} viewBox="0 0 16 16" aria-hidden="true">
      {GLYPH_PATHS[name]}
    </svg>
  );
}
