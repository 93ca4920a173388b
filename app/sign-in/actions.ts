"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import type { FormProblems } from "@/app/sign-in/problems";
import { signInProblems } from "@/app/sign-in/words";
import { action } from "@/lib/auth/action";
import { Credentials } from "@/lib/auth/credentials";
import { giveSession, requestToken, takeSession } from "@/lib/auth/request";
import { safeReturnTo } from "@/lib/auth/return-to";
import { forgetSeen } from "@/lib/auth/seen-sessions";
import { endSession } from "@/lib/auth/session";
import { signIn } from "@/lib/auth/sign-in";
import { pools } from "@/lib/db/pools";

/** What the form shows again after a try; never the password. */
export type SignInState = FormProblems & { username: string };

const tryToSignIn = action({
  name: "sign_in",
  role: "anyone",
  input: Credentials,
  body: async ({ input, address, requestId }) =>
    signIn(pools().own, { ...input, address, requestId, oldToken: await requestToken() }),
});

/** The sign-in form. Leads on to where the visitor was going, or gives the form its problems. */
export async function submitSignIn(_before: SignInState, form: FormData): Promise<SignInState> {
  const [username, password, returnTo] = ["username", "password", "returnTo"].map((name) =>
    String(form.get(name) ?? ""),
  );
  const result = await tryToSignIn({ username: username ?? "", password: password ?? "" });
  if (result.kind === "ok") {
    const { value } = result;
    if (value.kind === "signed_in") {
      await giveSession(value.token);
      redirect(safeReturnTo(returnTo) ?? "/");
    }
    return { username: username ?? "", ...signInProblems({ kind: "ok", value }) };
  }
  return { username: username ?? "", ...signInProblems(result) };
}

const revoke = action({
  name: "sign_out",
  role: "anyone",
  input: z.undefined(),
  body: async () => {
    const token = await requestToken();
    forgetSeen(token);
    await endSession(pools().own, token);
  },
});

/** Ends this session on the server and in the browser. For a form: `<form action={signOut}>`. */
export async function signOut(): Promise<void> {
  const result = await revoke(undefined);
  if (result.kind === "refused") return;
  // Where the database did not answer, the browser forgets its token all the same; the row ends by itself.
  await takeSession();
  redirect("/sign-in");
}
