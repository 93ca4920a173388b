"use client";

import { createContext, use, useEffect, useRef } from "react";

/** Whether something that the desk reads from does not answer just now. */
export const Away = createContext(false);

/** A store that has begun to answer may still refuse the first who ask. */
const TRIES_MS = [0, 3_000];

/** Runs `read` once the stores answer again, and a moment later once more. */
export function useWhenBack(read: () => void): void {
  const away = use(Away);
  const wasAway = useRef(away);
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });
  useEffect(() => {
    const back = wasAway.current && !away;
    wasAway.current = away;
    if (!back) return;
    const tries = TRIES_MS.map((afterMs) => setTimeout(() => latest.current(), afterMs));
    return () => tries.forEach(clearTimeout);
  }, [away]);
}
