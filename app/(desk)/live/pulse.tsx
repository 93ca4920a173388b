"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { overviewQuery } from "@/app/(desk)/live/use-overview";
import { useClock, useClockMode } from "@/components/ui/db-clock";
import type { Overview } from "@/lib/domain/overview";
import { clockOf } from "@/lib/domain/overview-facts";

const EVERY_MS = 2_000;

/**
 * Polls the reading and sets the database clock by it. It rests while the tab is hidden (the query's own doing) and
 * while the reader holds the page still with `.`.
 */
export function Pulse({ initial }: { initial: Overview }) {
  const clock = useClock();
  const paused = useClockMode() === "paused";
  const { data, isError, dataUpdatedAt, errorUpdatedAt } = useQuery({
    ...overviewQuery,
    initialData: initial,
    refetchInterval: paused ? false : EVERY_MS,
    refetchOnWindowFocus: !paused,
  });
  const atMs = isError ? null : clockOf(data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each poll reports, also one that read the same instant.
  useEffect(() => {
    if (atMs === null) clock.fail();
    else clock.report({ atMs, receivedAtPerf: performance.now() });
  }, [clock, atMs, dataUpdatedAt, errorUpdatedAt]);
  return null;
}
