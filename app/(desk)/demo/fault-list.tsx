"use client";

import { useEffect, useState } from "react";
import { RunbookLink } from "@/components/queue/runbook-link";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { StateTag } from "@/components/ui/state-tag";
import type { FaultName, FaultView } from "@/lib/domain/demo-fault";
import { FAULT_NAMES, FAULT_WORDS, sayFault } from "@/lib/domain/demo-fault-words";

type Props = {
  /** The one that is open. */
  open: FaultView | null;
  /** Why none can be made or mended now; null: it can. */
  off: string | null;
  onBegin(fault: FaultName): void;
  onEnd(fault: FaultName): void;
};

/** What the demo can do to itself, one at a time: what each does, how it stands, and one button that makes or mends it. */
export function FaultList({ open, off, onBegin, onEnd }: Props) {
  const [shown, setShown] = useState(open !== null);
  const openName = open?.fault ?? null;
  // It unfolds for a fault that somebody else has made, and never folds by itself: the focus may be in it.
  useEffect(() => {
    if (openName !== null) setShown(true);
  }, [openName]);
  return (
    <details className="faults" open={shown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron-right" />
        Eight more faults
      </summary>
      <ul>
        {FAULT_NAMES.map((fault) => (
          <Fault key={fault} fault={fault} open={open} off={off} onBegin={onBegin} onEnd={onEnd} />
        ))}
      </ul>
    </details>
  );
}

function Fault({ fault, open, off, onBegin, onEnd }: Props & { fault: FaultName }) {
  const { title, does, make, mend, entry } = FAULT_WORDS[fault];
  const isOpen = open?.fault === fault;
  const another = open !== null && !isOpen ? `${FAULT_WORDS[open.fault].title}: mend that first` : null;
  const reason = off ?? another ?? (isOpen && mend === null ? "It is over by itself" : null);
  return (
    <li>
      <div>
        <h3>{title}</h3>
        {isOpen ? <StateTag state="warn">Open</StateTag> : null}
      </div>
      <p>{isOpen ? sayFault(open) : does}</p>
      <div>
        <Button size="sm" onClick={() => (isOpen ? onEnd(fault) : onBegin(fault))} disabledReason={reason}>
          {isOpen && mend !== null ? mend : make}
        </Button>
        <RunbookLink entry={entry} about={title} />
      </div>
    </li>
  );
}
