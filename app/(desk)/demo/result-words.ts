import type { ActionResult } from "@/lib/auth/run-action";
import type { DemoChange } from "@/lib/console/demo/change";

/** What stands beside the buttons after a click. Null: the action's own answer never came. */
export function resultWords(ending: ActionResult<DemoChange> | null): string {
  if (ending === null) return "The connection was lost while sending. The state above tells what became of it.";
  switch (ending.kind) {
    case "ok":
      return ending.value.sentence;
    case "invalid":
      return "The request was not understood. Nothing was sent.";
    case "failed":
      return `${ending.sentence} (${ending.code}, request ${ending.requestId})`;
    default:
      return ending.sentence;
  }
}
