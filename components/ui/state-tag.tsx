import type { ReactNode } from "react";
import { cx } from "@/components/ui/cx";
import { Glyph } from "@/components/ui/glyph";
import { STATES, type StateName } from "@/components/ui/state-words";

/** Glyph and word of a state. `children` replaces the word where a sentence needs another form ("2 warnings"). */
export function StateTag({
  state,
  children,
  className,
}: {
  state: StateName;
  children?: ReactNode;
  className?: string;
}) {
  const { word, glyph } = STATES[state];
  return (
    <span className={cx("st", `st-${glyph}`, className)}>
      <Glyph name={glyph} />
      {children ?? word}
    </span>
  );
}

/** The same on a tinted ground, once per page beside its title. */
export function StatePill(props: { state: StateName; children?: ReactNode }) {
  return <StateTag {...props} className="st-pill" />;
}
