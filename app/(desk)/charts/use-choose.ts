"use client";

import { useRouter } from "next/navigation";
import { useCallback } from "react";
import type { Drawn } from "@/components/charts/board";
import { type Query, queryString } from "@/components/ui/query";
import { drawnRange, writeChartRange } from "@/lib/domain/chart-range";

/** Writes a drawn stretch to the address, as instants: Back undoes it, and the link shows the same to others. */
export function useChoose(path: string, query: Query): (drawn: Drawn) => void {
  const router = useRouter();
  return useCallback(
    ({ fromMs, toMs }: Drawn) =>
      router.push(path + queryString({ ...query, range: undefined, ...writeChartRange(drawnRange(fromMs, toMs)) }), {
        scroll: false,
      }),
    [router, path, query],
  );
}
