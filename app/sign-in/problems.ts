import type { ActionResult } from "@/lib/auth/run-action";

/** What a form of the entrance shows after a try: a problem by field, and one for the whole. */
export type FormProblems = { fields: Record<string, string>; whole: string | null };

export const NO_PROBLEMS: FormProblems = { fields: {}, whole: null };

/** Everything but success, in the words of the page. The first issue of a field is enough. */
export function problemsOf(result: Exclude<ActionResult<unknown>, { kind: "ok" }>): FormProblems {
  switch (result.kind) {
    case "invalid": {
      const fields: Record<string, string> = {};
      for (const { path, message } of result.issues) fields[path] ??= message;
      return { fields, whole: null };
    }
    case "failed":
      return { fields: {}, whole: `${result.sentence} ${result.code}, request ${result.requestId}` };
    case "signed_out":
    case "forbidden":
    case "refused":
      return { fields: {}, whole: result.sentence };
    default:
      return result satisfies never;
  }
}
