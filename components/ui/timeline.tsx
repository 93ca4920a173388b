import type { ReactNode } from "react";
import { Glyph } from "@/components/ui/glyph";
import type { GlyphName } from "@/components/ui/glyph-paths";
import { Icon } from "@/components/ui/icon";
import type { IconName } from "@/components/ui/icon-paths";
import { Time } from "@/components/ui/time";

/** One life of a piece of work: its title, its span in words, and `TimelineEntry`s. */
export function Life({ title, span, children }: { title: string; span?: ReactNode; children: ReactNode }) {
  return (
    <article className="life">
      <header>
        <h3>{title}</h3>
        {span ? <span className="faint">{span}</span> : null}
      </header>
      <ol className="tl">{children}</ol>
    </article>
  );
}

type EntryProps = {
  /** Null where nobody recorded when. */
  atMs: number | null;
  /** The database clock at the reading. */
  nowMs: number;
  /** A state it reached, or an icon for what is no state. */
  mark: { glyph: GlyphName } | { icon: IconName };
  children: ReactNode;
};

/** One moment: time, mark, and a sentence whose first words are `<b>`. */
export function TimelineEntry({ atMs, nowMs, mark, children }: EntryProps) {
  return (
    <li>
      {atMs === null ? <span className="faint">–</span> : <Time atMs={atMs} nowMs={nowMs} show="clock" />}
      {"glyph" in mark ? <Glyph name={mark.glyph} /> : <Icon name={mark.icon} />}
      <span className="m">{children}</span>
    </li>
  );
}
