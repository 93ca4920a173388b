import type { ReactNode } from "react";

/** One line of a `dl` of facts: what it is of, and what it says. */
export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
