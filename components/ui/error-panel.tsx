import type { ReactNode } from "react";
import { Glyph } from "@/components/ui/glyph";
import type { GlyphName } from "@/components/ui/glyph-paths";
import { utcClock } from "@/lib/domain/time";

type Props = {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  code?: string;
  requestId?: string;
  atMs?: number;
  glyph?: GlyphName;
  /** `h1` where the failure is the whole page. */
  heading?: "h1" | "h2" | "h3";
};

/**
 * One panel failed and the rest of the page works: the fact in the title, what it means in the sentence, and last
 * what somebody needs to find it in a log.
 */
export function ErrorPanel({
  title,
  children,
  actions,
  code,
  requestId,
  atMs,
  glyph = "dead",
  heading: Heading = "h3",
}: Props) {
  const reference = [
    code,
    requestId ? `request ${requestId}` : null,
    atMs === undefined ? null : `${utcClock(atMs)} UTC`,
  ].filter(Boolean);
  return (
    <div className="empty" role="alert">
      <Glyph name={glyph} />
      <Heading>{title}</Heading>
      {children ? <p>{children}</p> : null}
      {actions ? <div className="row">{actions}</div> : null}
      {reference.length > 0 ? <p className="ref">{reference.join(", ")}</p> : null}
    </div>
  );
}
