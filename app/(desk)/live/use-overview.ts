"use client";

import { queryOptions, useQuery } from "@tanstack/react-query";
import { poll } from "@/app/(desk)/live/poll";
import type { Overview } from "@/lib/domain/overview";

/** The schema comes with the first poll: it is no part of what must be loaded before the page is seen. */
async function fetchOverview(signal: AbortSignal): Promise<Overview> {
  const [{ Overview }, body] = await Promise.all([import("@/lib/domain/overview"), poll("/api/overview", signal)]);
  return Overview.parse(body);
}

/**
 * The desk's one reading of what moves. A poll that fails is not tried again before the next tick, and leaves the last
 * good reading where it is.
 */
export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: ({ signal }) => fetchOverview(signal),
  staleTime: 2_000,
  retry: false,
  // A browser that believes itself offline must find out, and say so.
  networkMode: "always",
  refetchOnWindowFocus: true,
});

/**
 * The latest good reading; `initial` is the one that the server wrote the page from. `stale`: the last poll brought
 * none. `Pulse` keeps them coming.
 */
export function useOverview(initial: Overview): { overview: Overview; stale: boolean } {
  const { data, isError } = useQuery({ ...overviewQuery, initialData: initial });
  return { overview: data, stale: isError };
}
