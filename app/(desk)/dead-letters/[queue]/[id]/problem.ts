import type { ActionResult } from "@/lib/auth/run-action";

/** Why nothing is shown or sent, for the panel: a sentence, what to do, and what finds it in a log. */
export type Problem = { title: string; detail?: string; reference?: string };

type NotOk = Exclude<ActionResult<unknown>, { kind: "ok" }>;

/** The sentence for an action that did not end well. */
export function problemOf(result: NotOk): Problem {
  switch (result.kind) {
    case "signed_out":
    case "forbidden":
    case "refused":
      return { title: "Nothing was sent.", detail: result.sentence };
    case "invalid":
      return { title: "Nothing was sent.", detail: result.issues.map((issue) => issue.message).join(" ") };
    case "failed":
      return {
        title: "The plan could not be made. Nothing was sent.",
        detail: result.sentence,
        reference: [result.code, result.requestId && `request ${result.requestId}`].filter(Boolean).join(", "),
      };
    default:
      return result satisfies never;
  }
}
