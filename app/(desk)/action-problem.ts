import type { ActionResult } from "@/lib/auth/run-action";

/** Why nothing is shown or sent, for the panel: a sentence, what to do, and what finds it in a log. */
export type Problem = { title: string; detail?: string | undefined; reference?: string | undefined };

type NotOk = Exclude<ActionResult<unknown>, { kind: "ok" }>;

/** What an action did not do, in its own words. */
type Undone = { refused: string; failed: string };
const NOT_SENT: Undone = { refused: "Nothing was sent.", failed: "The plan could not be made. Nothing was sent." };

/** The sentence for an action that did not end well. */
export function problemOf(result: NotOk, undone: Undone = NOT_SENT): Problem {
  switch (result.kind) {
    case "signed_out":
    case "forbidden":
    case "refused":
      return { title: undone.refused, detail: result.sentence };
    case "invalid":
      return { title: undone.refused, detail: result.issues.map((issue) => issue.message).join(" ") };
    case "failed": {
      const reference = [result.code, result.requestId && `request ${result.requestId}`].filter(Boolean).join(", ");
      return { title: undone.failed, detail: result.sentence, reference };
    }
    default:
      return result satisfies never;
  }
}

/** What an action ends with when its answer never came. Whether the server got it is not known: `sentence` claims nothing. */
export function unanswered(code: string, sentence: string): Extract<NotOk, { kind: "failed" }> {
  return { kind: "failed", code, requestId: "", atMs: Date.now(), sentence };
}
