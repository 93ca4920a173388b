import type { ActionResult } from "@/lib/auth/run-action";

/** Why nothing is shown or sent, for the panel: a sentence, what to do, and what finds it in a log. */
export type Problem = { title: string; detail?: string; reference?: string };

type NotOk = Exclude<ActionResult<unknown>, { kind: "ok" }>;

/** The sentence for an action that did not end well. `sending`: it was the click, not the reading of the plan. */
export function problemOf(result: NotOk, sending: boolean): Problem {
  const title = sending ? "It is not known yet whether this was sent." : "The plan could not be made.";
  switch (result.kind) {
    case "signed_out":
    case "forbidden":
    case "refused":
      return { title: "Nothing was sent.", detail: result.sentence };
    case "invalid":
      return { title: "Nothing was sent.", detail: result.issues.map((issue) => issue.message).join(" ") };
    case "failed":
      return {
        title,
        detail: result.sentence,
        reference: [result.code, result.requestId && `request ${result.requestId}`].filter(Boolean).join(", "),
      };
    default:
      return result satisfies never;
  }
}
