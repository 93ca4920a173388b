"use client";

import { useActionState, useEffect, useRef } from "react";
import { type SignInState, submitSignIn } from "@/app/sign-in/actions";
import { FormField, Problem } from "@/app/sign-in/form-field";
import { NO_PROBLEMS } from "@/app/sign-in/problems";
import { Button } from "@/components/ui/button";

const START: SignInState = { ...NO_PROBLEMS, username: "" };

/** Works without JavaScript, too: the answer is then a whole page with the same words. */
export function SignInForm({ returnTo }: { returnTo: string | null }) {
  const [state, submit, pending] = useActionState(submitSignIn, START);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const next = state.fields.password && !state.fields.username ? "password" : "username";
    form.current?.querySelector<HTMLInputElement>(`[name=${next}]`)?.focus();
  }, [state]);
  return (
    <form ref={form} action={submit} aria-labelledby="entrance" noValidate>
      {returnTo ? <input type="hidden" name="returnTo" value={returnTo} /> : null}
      <div className="fields">
        <FormField
          name="username"
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={state.username}
          problem={state.fields.username}
        />
        <FormField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          problem={state.fields.password}
        />
        {state.whole ? <Problem reference={state.reference}>{state.whole}</Problem> : null}
      </div>
      <Button type="submit" variant="primary" size="lg" wide disabledReason={pending ? "Signing in." : null}>
        Sign in
      </Button>
    </form>
  );
}
