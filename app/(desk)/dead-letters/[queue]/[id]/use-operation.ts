"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { isFinal } from "@/lib/domain/ending";
import type { OperationView } from "@/lib/domain/requeue";

const FOLLOW_MS = 1_000;
const FOLLOW_SLOWLY_MS = 5_000;
const SOON_MS = 120_000;

/** Nothing more will be learned: its outcome is known, or it is proved that nothing was sent. */
function ended(operation: OperationView): boolean {
  return operation.state === "not_sent" || (operation.outcome !== null && isFinal(operation.outcome));
}

/**
 * Follows an operation until it ends, every second at first, and not while the tab is hidden. A poll that fails keeps
 * the last reading. `onEnd` runs once, when an operation that was still open ends.
 */
export function useOperation(sent: OperationView | null, onEnd: () => void): OperationView | null {
  const [latest, setLatest] = useState<OperationView | null>(null);
  const tellEnd = useEffectEvent(onEnd);
  const operation = latest && latest.operationId === sent?.operationId ? latest : sent;
  const openId = operation && !ended(operation) ? operation.operationId : null;

  useEffect(() => {
    if (openId === null) return;
    const since = performance.now();
    let timer: ReturnType<typeof setTimeout>;
    let stopped = false;
    const look = async () => {
      const found = document.hidden ? null : await readOperation(openId);
      if (stopped) return;
      if (found) setLatest(found);
      if (found && ended(found)) return tellEnd();
      timer = setTimeout(look, performance.now() - since < SOON_MS ? FOLLOW_MS : FOLLOW_SLOWLY_MS);
    };
    timer = setTimeout(look, FOLLOW_MS);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [openId]);
  return operation;
}

async function readOperation(operationId: string): Promise<OperationView | null> {
  try {
    const answer = await fetch(`/api/operations/${operationId}`, { cache: "no-store" });
    return answer.ok ? ((await answer.json()) as OperationView | null) : null;
  } catch {
    return null;
  }
}
