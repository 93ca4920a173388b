import type { ActionResult } from "@/lib/auth/run-action";
import { utcClock } from "@/lib/domain/time";

/** What a form of the entrance shows after a try: a problem by field, and one for the whole with what a log knows it by. */
export type FormProblems = { fields: Record<string, string>; whole: string | null; reference?: string };

export const NO_PROBLEMS: FormProblems = { fields: {}, whole: null };

/**
 * Everything but success, in the words of the page. The first issue of a field is enough.
 * @param shown the form's fields; what is wrong with anything else is told of the whole
 */
export function problemsOf(
  result: Exclude<ActionResult<unknown>, { kind: "ok" }>,
  shown: readonly string[],
): FormProblems {
  switch (result.kind) {
    case "invalid": {
      const fields: Record<string, string> = {};
      let whole: string | null = null;
      for (const { path, message } of result.issues) {
        if (shown.includes(path)) fields[path] ??= message;
        else whole ??= message;
      }
      return { fields, whole };
    }
    case "failed": {
      const reference = `${result.code}, request ${result.requestId}, ${utcClock(result.atMs)} UTC`;
      return { fields: {}, whole: result.sentence, reference };
    }
    case "signed_out":
    case "forbidden":
    case "refused":
      return { fields: {}, whole: result.sentence };
    default:
      return result satisfies never;
  }
}
