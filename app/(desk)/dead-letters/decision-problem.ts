import { type Problem, problemOf, unanswered } from "@/app/(desk)/action-problem";
import type { ActionResult } from "@/lib/auth/run-action";
import type { Resolved } from "@/lib/domain/resolve";

const UNCHANGED = "Nothing was changed.";

/** Why a decision changed nothing; null: it changed what it could. `moved`: no letter was in the state that it is made of. */
export function decisionProblem(result: ActionResult<Resolved>, moved: string): Problem | null {
  if (result.kind !== "ok") return problemOf(result, { refused: UNCHANGED, failed: "It could not be recorded." });
  if (result.value.kind === "incomplete") return { title: UNCHANGED, detail: result.value.missing };
  return result.value.changed === 0 ? { title: UNCHANGED, detail: moved } : null;
}

/** How a decision on several letters ended; null: each of them changed. `stopped`: why the last were not asked for. */
export function partlyDone(
  { changed, asked }: { changed: number; asked: number },
  stopped: Problem | null,
  moved: string,
): Problem | null {
  if (changed === asked) return null;
  if (changed === 0) return stopped ?? { title: UNCHANGED, detail: moved };
  const detail = stopped?.detail ?? "The others were not open any more.";
  return { title: `${changed} of ${asked} letters were resolved.`, detail, reference: stopped?.reference };
}

/** What a decision ends with when its answer never came. */
export const decisionLost = () =>
  unanswered("connection_lost", "The connection to Backstop was lost. Reload the page: it shows what was recorded.");
