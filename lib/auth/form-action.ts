import "server-only";
import type { z } from "zod";
import { declare, type Need } from "@/lib/auth/declared";
import { requestContext } from "@/lib/auth/request";
import { type ActionResult, type ActionSpec, runAction } from "@/lib/auth/run-action";

type FormSpec<N extends Need, S extends z.ZodType, T, State> = ActionSpec<N, S, T> & {
  /** The action's input, out of the form. */
  read(form: FormData): unknown;
  /** What the form shows after this ending. It may redirect: what it throws is not caught. */
  next(result: ActionResult<T>, form: FormData): Promise<State>;
};

/** As `action`, for a form that works without JavaScript: `useActionState(submit, start)`. */
export function formAction<N extends Need, S extends z.ZodType, T, State>(
  spec: FormSpec<N, S, T, State>,
): (before: State, form: FormData) => Promise<State> {
  return declare({ kind: "action", ...spec }, async (_before, form) => {
    // It is a public endpoint: what comes may be anything.
    const given = form instanceof FormData ? form : new FormData();
    return spec.next(await runAction(await requestContext(), spec, spec.read(given)), given);
  });
}

/** As `formAction`, for a form of a button alone: `<form action={submit}>`. */
export function buttonAction<N extends Need, T>(
  spec: Omit<FormSpec<N, z.ZodUndefined, T, void>, "read">,
): (form: FormData) => Promise<void> {
  return declare({ kind: "action", ...spec }, async () =>
    spec.next(await runAction(await requestContext(), spec, undefined), new FormData()),
  );
}
