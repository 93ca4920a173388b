import { type Problem, problemOf } from "@/app/(desk)/action-problem";
import type { UserAdded } from "@/lib/auth/add-user";
import type { UserChanged } from "@/lib/auth/change-user";
import type { ActionResult } from "@/lib/auth/run-action";

const UNDONE = { refused: "Nothing was changed.", failed: "It could not be changed." };

const NOT_ADMIN = "You are no admin any more, or your account is disabled.";

/** Why an account was not changed; null: it was. */
export function changeProblem(result: ActionResult<UserChanged>): Problem | null {
  if (result.kind !== "ok") return problemOf(result, UNDONE);
  switch (result.value.kind) {
    case "done":
      return null;
    case "not_found":
      return { title: "There is no such user any more." };
    case "not_admin":
      return { title: UNDONE.refused, detail: NOT_ADMIN };
    case "last_admin":
      return {
        title: "Nothing was changed: this is the last admin.",
        detail: "Make somebody else an admin first, or nobody could let anybody in.",
      };
    default:
      return result.value satisfies never;
  }
}

/** Why an account was not added; null: it was. */
export function addProblem(result: ActionResult<UserAdded>): Problem | null {
  if (result.kind !== "ok") return problemOf(result, { refused: "Nobody was added.", failed: "Nobody was added." });
  switch (result.value.kind) {
    case "added":
      return null;
    case "taken":
      return { title: "Somebody has this username already." };
    case "not_admin":
      return { title: "Nobody was added.", detail: NOT_ADMIN };
    default:
      return result.value satisfies never;
  }
}
