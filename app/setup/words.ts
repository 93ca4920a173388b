import { type FormProblems, problemsOf } from "@/app/sign-in/problems";
import type { ActionResult } from "@/lib/auth/run-action";
import type { Redeemed } from "@/lib/auth/setup-token";

type Unsuccessful = Exclude<Redeemed, { kind: "made" | "already_set_up" }>;

const SENTENCES: Record<Unsuccessful["kind"], string> = {
  wrong_token: "This link is not the one of the last start. Open the link that npm start printed last.",
  expired: "This link is older than 1 hour. Start Backstop again: it prints a new one.",
};

/** Everything that keeps the set-up page open. */
export function setUpProblems(result: ActionResult<Unsuccessful>): FormProblems {
  if (result.kind === "ok") return { fields: {}, whole: SENTENCES[result.value.kind] };
  return problemsOf(result, ["username", "displayName", "password"]);
}
