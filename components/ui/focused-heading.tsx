"use client";

import { type ReactNode, useEffect, useRef } from "react";

/** The heading of what was just opened elsewhere on the page: the keyboard goes on there, and it is in view. */
export function FocusedHeading({ id, children }: { id: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 id={id} ref={heading} tabIndex={-1}>
      {children}
    </h2>
  );
}
