"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { poll } from "@/app/(desk)/live/poll";
import { isFinal } from "@/lib/domain/ending";
import type { OperationView } from "@/lib/domain/requeue";

const FOLLOW_MS = 1_000;

/** A click that the server may still be working on is no plan that was never sent: its action ends within this. */
const UNSENT_AFTER_MS = 30_000;

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
  const followedMs = useFollowedMs(open ? sent.operationId : null);
  // Still only a plan: not sent, once nobody can be working on it any more.
  const latest = data?.state === "planned" ? (followedMs >= UNSENT_AFTER_MS ? data : null) : data;
  const operation = open ? (latest ?? sent) : sent;
  const tellEnd = useEffectEvent(onEnd);
  const over = open && operation !== null && ended(operation);
  useEffect(() => {
    if (over) tellEnd();
  }, [over]);
  return operation;
}

/** How long an operation has been followed, to the second while it matters. */
function useFollowedMs(operationId: string | null): number {
  const [followed, setFollowed] = useState({ operationId, ms: 0 });
  useEffect(() => {
    if (operationId === null) return;
    const since = performance.now();
    const tick = setInterval(() => setFollowed({ operationId, ms: performance.now() - since }), FOLLOW_MS);
    return () => clearInterval(tick);
  }, [operationId]);
  return followed.operationId === operationId ? followed.ms : 0;
}
