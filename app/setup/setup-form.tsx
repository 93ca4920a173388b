"use client";

import { useActionState, useEffect, useRef, useState } from "react";
import { type SetUpState, submitSetUp } from "@/app/setup/actions";
import { useSetupToken } from "@/app/setup/use-setup-token";
import { FormField, Problem } from "@/app/sign-in/form-field";
import { NO_PROBLEMS } from "@/app/sign-in/problems";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";

const START: SetUpState = { ...NO_PROBLEMS, username: "", displayName: "" };

export function SetUpForm() {
  const token = useSetupToken();
  const [state, submit, pending] = useActionState(submitSetUp, START);
  // Kept here, since React empties a form after its action: a wrong username must not cost the password, too.
  const [password, setPassword] = useState("");
  const [shown, setShown] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const first = Object.keys(state.fields)[0] ?? "username";
    form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  }, [state]);
  const problem = token === "" ? "The token is missing. Open the whole link that npm start printed." : state.whole;
  return (
    <form ref={form} action={submit} aria-labelledby="entrance" noValidate>
      <input type="hidden" name="token" value={token ?? ""} />
      <div className="fields">
        <FormField
          name="username"
          label="Username"
          help="For signing in. Letters, digits, dots, dashes, underscores."
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={state.username}
          problem={state.fields.username}
        />
        <FormField
          name="displayName"
          label="Your name"
          help="Every action is recorded under it."
          autoComplete="name"
          required
          defaultValue={state.displayName}
          problem={state.fields.displayName}
        />
        <FormField
          name="password"
          label="Password"
          help="At least 12 characters, of any kind. Pasting works."
          type={shown ? "text" : "password"}
          autoComplete="new-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          problem={state.fields.password}
        />
        <Checkbox label="Show the password" checked={shown} onChange={(event) => setShown(event.target.checked)} />
        {problem ? <Problem reference={state.reference}>{problem}</Problem> : null}
      </div>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        disabledReason={token ? (pending ? "Setting up." : null) : "The link's token is missing."}
      >
        Set up Backstop
      </Button>
      {/* No apostrophe or other escaped character in here: a browser with JavaScript reads this as raw text, and React then finds another text than it wrote. */}
      <noscript>
        Set-up needs JavaScript: the token of the link stays in your browser until you send this form.
      </noscript>
    </form>
  );
}
