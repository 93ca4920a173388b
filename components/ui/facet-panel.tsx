"use client";

import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";

/** The panel under a facet. Closes on a click beside it; stays inside the window; on a phone it rises from below. */
export function FacetPanel({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const beyond = (panel.current?.getBoundingClientRect().right ?? 0) - (document.documentElement.clientWidth - 8);
    if (beyond > 0) panel.current?.classList.add("end");
  }, []);
  useEffect(() => {
    const onDown = (event: PointerEvent) => {
      const holder = panel.current?.parentElement;
      if (event.target instanceof Node && !holder?.contains(event.target)) onClose();
    };
    document.addEventListener("pointerdown", onDown);
    return () => document.removeEventListener("pointerdown", onDown);
  }, [onClose]);
  return (
    <div ref={panel} className="pop facetpop">
      {children}
    </div>
  );
}
