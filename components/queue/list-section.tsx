"use client";

import type { ReactNode } from "react";
import { useClockMode } from "@/components/ui/db-clock";

/** A list on the page's whole width. Its rows are dimmed while the store they came from does not answer. */
export function ListSection({ label, children }: { label: string; children: ReactNode }) {
  const stale = useClockMode() === "stale";
  return (
    <section aria-label={label} className={stale ? "dim" : undefined}>
      {children}
    </section>
  );
}
