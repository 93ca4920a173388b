import type { Problem } from "@/app/(desk)/action-problem";
import { Callout } from "@/components/ui/callout";

/** What went wrong with the plan or the click, in the panel where it was pressed. */
export function ProblemCallout({ problem }: { problem: Problem | null }) {
  if (!problem) return null;
  return (
    <div role="alert">
      <Callout tone="warn" title={problem.title}>
        {problem.detail}
        {problem.reference ? <span className="faint mono"> {problem.reference}</span> : null}
      </Callout>
    </div>
  );
}
