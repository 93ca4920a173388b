import { type FormProblems, problemsOf } from "@/app/sign-in/problems";
import type { ActionResult } from "@/lib/auth/run-action";
import type { SignedIn } from "@/lib/auth/sign-in";
import { WAIT_MINUTES } from "@/lib/auth/throttle";
import { duration } from "@/lib/domain/time";

type Unsuccessful = Exclude<SignedIn, { kind: "signed_in" }>;

/** Why this try did not sign in, under the password. */
export function whyNot(ending: Unsuccessful): string {
  switch (ending.kind) {
    case "no_match": {
      const { triesLeft: left } = ending;
      const next =
        left === 0
          ? `The next try is in ${WAIT_MINUTES} min.`
          : `${left} ${left === 1 ? "try" : "tries"} left before a ${WAIT_MINUTES} min wait.`;
      return `That username and password do not match. ${next}`;
    }
    case "wait":
      // Rounded up: whoever waits as long as this says gets a try.
      return `Too many tries did not match. The next try is in ${duration(Math.ceil(ending.waitMs / 1_000) * 1_000)}.`;
    default:
      return ending satisfies never;
  }
}

/** Everything that keeps the sign-in page open. */
export function signInProblems(result: ActionResult<Unsuccessful>): FormProblems {
  if (result.kind !== "ok") return problemsOf(result, ["username", "password"]);
  return { fields: { password: whyNot(result.value) }, whole: null };
}
