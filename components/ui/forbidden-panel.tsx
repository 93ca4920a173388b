import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon";

type Props = { title: string; children: ReactNode; actions?: ReactNode; reference?: string };

/** A control that this person may not use: what it needs, what they are, and what stays open to them. */
export function ForbiddenPanel({ title, children, actions, reference }: Props) {
  return (
    <div className="empty">
      <Icon name="lock" />
      <h3>{title}</h3>
      <p>{children}</p>
      {actions ? <div className="row">{actions}</div> : null}
      {reference ? <p className="ref">{reference}</p> : null}
    </div>
  );
}
