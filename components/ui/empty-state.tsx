import type { ReactNode } from "react";
import { Glyph } from "@/components/ui/glyph";
import { Icon } from "@/components/ui/icon";

type Props = {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** `h1` where it is the whole page. */
  heading?: "h1" | "h2" | "h3";
};

/** Nothing is there, and that is good: `good` shows the green check. */
export function EmptyState({ title, children, actions, good, heading: Heading = "h3" }: Props & { good?: boolean }) {
  return (
    <div className="empty">
      {good ? <Glyph name="ok" /> : <Glyph name="info" />}
      <Heading>{title}</Heading>
      {children ? <p>{children}</p> : null}
      {actions ? <div className="row">{actions}</div> : null}
    </div>
  );
}

/** Nothing matches the filters: says which one to widen, and offers to. */
export function FilteredEmpty({ title, children, actions, heading: Heading = "h3" }: Props) {
  return (
    <div className="empty">
      <Icon name="filter" />
      <Heading>{title}</Heading>
      {children ? <p>{children}</p> : null}
      {actions ? <div className="row">{actions}</div> : null}
    </div>
  );
}
