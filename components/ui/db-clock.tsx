"use client";

import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from "react";
import { type ClockMode, type ClockStore, createClockStore } from "@/components/ui/db-clock-store";

const Context = createContext<{ store: ClockStore; firstMs: number | null } | null>(null);

/** Runs the database clock for everything below it. `atMs`: the clock when the server wrote the page. */
export function DbClock({ atMs, children }: { atMs: number | null; children: ReactNode }) {
  const [value] = useState(() => ({
    store: createClockStore(atMs === null ? null : { atMs, receivedAtPerf: performance.now() }),
    firstMs: atMs,
  }));
  return <Context value={value}>{children}</Context>;
}

function useContextValue() {
  const value = use(Context);
  if (!value) throw new Error("DbClock is missing above this component");
  return value;
}

/** The clock itself: pollers call `report` with each reading and `fail` when one does not come. */
export function useClock(): ClockStore {
  return useContextValue().store;
}

/** Now on the database clock, to the second; the component renders once a second. */
export function useDbNow(): number | null {
  return useDbText((nowMs) => (nowMs === null ? null : Math.floor(nowMs / 1_000) * 1_000));
}

/** Something written from the clock: the component renders only when what is written changes. */
export function useDbText<T extends string | number | null>(write: (nowMs: number | null) => T): T {
  const { store, firstMs } = useContextValue();
  return useSyncExternalStore(
    store.subscribe,
    () => write(store.now()),
    () => write(firstMs),
  );
}

/** Whether the page is live, paused or stale; pollers rest while it is paused. */
export function useClockMode(): ClockMode {
  const { store, firstMs } = useContextValue();
  return useSyncExternalStore(store.subscribe, store.mode, () => (firstMs === null ? "unread" : "live"));
}

/**
 * Reports a reading that came with the server's page: put it where the page renders its reading. A page that the
 * browser kept and shows again on Back brings an old reading, which must not turn the clock back.
 */
export function ClockReport({ atMs }: { atMs: number | null }) {
  const store = useClock();
  useEffect(() => {
    if (atMs === null) store.fail();
    else if (atMs > (store.lastMs() ?? 0)) store.report({ atMs, receivedAtPerf: performance.now() });
  }, [atMs, store]);
  return null;
}
