"use client";

import { useCallback, useState } from "react";

/** How long before it would scroll into view. */
const AHEAD = "200px";

/**
 * Whether an element, which takes `ref`, has come into view since the page was loaded and had nothing else to do: what
 * is heavy waits for both, so that it never delays what the page is opened for, and a phone that does not scroll to it
 * never loads it.
 */
export function useSeen(): { seen: boolean; ref: (element: Element | null) => (() => void) | undefined } {
  const [seen, setSeen] = useState(false);
  const ref = useCallback((element: Element | null) => {
    if (!element) return;
    const stop = new AbortController();
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        whenIdle(() => setSeen(true), stop.signal);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(element);
    stop.signal.addEventListener("abort", () => observer.disconnect());
    return () => stop.abort();
  }, []);
  return { seen, ref };
}

function whenIdle(work: () => void, signal: AbortSignal): void {
  const rest = () => {
    if (signal.aborted) return;
    // Safari has none.
    if (!("requestIdleCallback" in window)) return void setTimeout(work, 1);
    const asked = requestIdleCallback(work, { timeout: 1_000 });
    signal.addEventListener("abort", () => cancelIdleCallback(asked));
  };
  if (document.readyState === "complete") rest();
  else window.addEventListener("load", rest, { once: true, signal });
}
