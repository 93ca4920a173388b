"use client";

import { createContext, use, useEffect, useRef } from "react";

/** What of that which the desk reads from does not answer just now: names, and a blank between any two. */
export const Away = createContext("");

/** A store that has begun to answer may still refuse the first who ask. */
const TRIES_MS = [0, 3_000];

/** Runs `read` once one of the stores answers again, and a moment later once more. */
export function useWhenBack(read: () => void): void {
  const away = use(Away);
  const wasAway = useRef(away);
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });
  useEffect(() => {
    const now = away.split(" ");
    const before = wasAway.current.split(" ").filter(Boolean);
    const back = before.some((name) => !now.includes(name));
    wasAway.current = away;
    if (!back) return;
    const tries = TRIES_MS.map((afterMs) => setTimeout(() => latest.current(), afterMs));
    return () => tries.forEach(clearTimeout);
  }, [away]);
}
