"use client";

import { queryOptions, useQuery } from "@tanstack/react-query";
import { pollChecked } from "@/app/(desk)/live/poll-checked";
import type { Overview } from "@/lib/domain/overview";

/**
 * The desk's one reading of what moves. A poll that fails is not tried again before the next tick, and leaves the last
 * good reading where it is.
 */
export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: (asked) => pollChecked("/api/overview", asked, async () => (await import("./schemas")).Overview),
  staleTime: 2_000,
  retry: false,
  // A browser that believes itself offline must find out, and say so.
  networkMode: "always",
  // Only `Pulse` polls: whoever else looks at the reading takes it as it is.
  refetchOnMount: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});

/**
 * The latest good reading; `initial` is the one that the server wrote the page from. `stale`: the last poll brought
 * none. `Pulse` keeps them coming.
 */
export function useOverview(initial: Overview): { overview: Overview; stale: boolean } {
  const { data, isError } = useQuery({ ...overviewQuery, initialData: initial });
  return { overview: data, stale: isError };
}
