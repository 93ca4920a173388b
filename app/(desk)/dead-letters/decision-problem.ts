import type { Problem } from "@/app/(desk)/dead-letters/[queue]/[id]/problem";
import type { ActionResult } from "@/lib/auth/run-action";
import type { Resolved } from "@/lib/domain/resolve";

/** Why a decision changed nothing; null: it changed what it could. `moved`: no letter was in the state that it is made of. */
export function decisionProblem(result: ActionResult<Resolved>, moved: string): Problem | null {
  switch (result.kind) {
    case "ok":
      if (result.value.kind === "incomplete") return { title: "Nothing was changed.", detail: result.value.missing };
      return result.value.changed === 0 ? { title: "Nothing was changed.", detail: moved } : null;
    case "signed_out":
    case "forbidden":
    case "refused":
      return { title: "Nothing was changed.", detail: result.sentence };
    case "invalid":
      return { title: "Nothing was changed.", detail: result.issues.map((issue) => issue.message).join(" ") };
    case "failed": {
      const reference = [result.code, result.requestId && `request ${result.requestId}`].filter(Boolean).join(", ");
      return { title: "It could not be recorded.", detail: result.sentence, reference };
    }
    default:
      return result satisfies never;
  }
}

/** What a decision ends with when its answer never came. */
export function decisionLost(): Extract<ActionResult<never>, { kind: "failed" }> {
  const sentence = "The connection to Backstop was lost. Reload the page: it shows what was recorded.";
  return { kind: "failed", code: "connection_lost", requestId: "", atMs: Date.now(), sentence };
}
