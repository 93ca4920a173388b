import type { ReactNode } from "react";
import { Glyph } from "@/components/ui/glyph";
import type { GlyphName } from "@/components/ui/glyph-paths";

const GLYPH: Record<CalloutTone, GlyphName> = { dead: "block", warn: "warn", ok: "ok", plain: "info" };

export type CalloutTone = "dead" | "warn" | "ok" | "plain";

type Props = { tone: CalloutTone; glyph?: GlyphName; title: string; children?: ReactNode; actions?: ReactNode };

/** A fact inside a panel that stands before everything else in it: refused, changed, recovered. */
export function Callout({ tone, glyph = GLYPH[tone], title, children, actions }: Props) {
  return (
    <div className={`callout ${tone}`}>
      <Glyph name={glyph} />
      <h3>{title}</h3>
      {children ? <p>{children}</p> : null}
      {actions ? <div className="row">{actions}</div> : null}
    </div>
  );
}

/** The line under a form that says what is still missing, or what happens next. Spoken when it changes. */
export function Need({ children }: { children: ReactNode }) {
  return (
    <p className="need" aria-live="polite">
      <Glyph name="info" />
      <span>{children}</span>
    </p>
  );
}
