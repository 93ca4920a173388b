"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { poll } from "@/app/(desk)/live/poll";
import { isFinal } from "@/lib/domain/ending";
import type { OperationView } from "@/lib/domain/requeue";

const FOLLOW_MS = 1_000;

/** Nothing more will be learned: its outcome is known, or it is proved that nothing was sent. */
function ended(operation: OperationView): boolean {
  return operation.state === "not_sent" || (operation.outcome !== null && isFinal(operation.outcome));
}

/** The schema comes with the first poll: it is no part of what must be loaded before the page is seen. */
async function fetchOperation(operationId: string, signal: AbortSignal): Promise<OperationView> {
  const path = `/api/operations/${operationId}`;
  const [{ OperationView }, body] = await Promise.all([import("@/app/(desk)/live/schemas"), poll(path, signal)]);
  return OperationView.parse(body);
}

/**
 * Follows an operation every second until it ends, and not while the tab is hidden. A poll that fails keeps the last
 * reading. `onEnd` runs once, when an operation that was still open ends.
 */
export function useOperation(sent: OperationView | null, onEnd: () => void): OperationView | null {
  const open = sent !== null && !ended(sent);
  const { data } = useQuery({
    queryKey: ["operation", sent?.operationId],
    queryFn: ({ signal }) => fetchOperation(sent?.operationId ?? "", signal),
    enabled: open,
    retry: false,
    networkMode: "always",
    refetchInterval: ({ state }) => (state.data && ended(state.data) ? false : FOLLOW_MS),
  });
  const operation = open ? (data ?? sent) : sent;
  const tellEnd = useEffectEvent(onEnd);
  const over = open && operation !== null && ended(operation);
  useEffect(() => {
    if (over) tellEnd();
  }, [over]);
  return operation;
}
