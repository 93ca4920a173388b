"use client";

import { useState } from "react";
import { Icon } from "@/components/ui/icon";
import type { ResolveVerb } from "@/lib/domain/resolve";
import { ResolveForm } from "./resolve-form";

type Props = { summary: string; verb: ResolveVerb; queue: string; letterId: string };

/** A decision that the page does not ask for: a line that opens its form. */
export function QuietDecision({ summary, ...decision }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron-right" />
        {summary}
      </summary>
      {open ? <ResolveForm {...decision} main={false} /> : null}
    </details>
  );
}
