"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import type { FormProblems } from "@/app/sign-in/problems";
import { signInProblems } from "@/app/sign-in/words";
import { Credentials } from "@/lib/auth/credentials";
import { buttonAction, formAction } from "@/lib/auth/form-action";
import { giveSession, requestToken, takeSession } from "@/lib/auth/request";
import { safeReturnTo } from "@/lib/auth/return-to";
import { forgetSeen } from "@/lib/auth/seen-sessions";
import { endSession } from "@/lib/auth/session";
import { signIn } from "@/lib/auth/sign-in";
import { pools } from "@/lib/db/pools";

/** What the form shows again after a try; never the password. */
export type SignInState = FormProblems & { username: string };

const text = (form: FormData, name: string) => String(form.get(name) ?? "");

/** The sign-in form. Leads on to where the visitor was going, or gives the form its problems. */
export const submitSignIn = formAction({
  name: "sign_in",
  role: "anyone",
  input: Credentials,
  read: (form) => ({ username: text(form, "username"), password: text(form, "password") }),
  body: async ({ input, address, requestId }) =>
    signIn(pools().own, { ...input, address, requestId, oldToken: await requestToken() }),
  next: async (result, form): Promise<SignInState> => {
    const username = text(form, "username");
    if (result.kind !== "ok") return { username, ...signInProblems(result) };
    const { value } = result;
    if (value.kind !== "signed_in") return { username, ...signInProblems({ kind: "ok", value }) };
    await giveSession(value.token);
    redirect(safeReturnTo(text(form, "returnTo")) ?? "/");
  },
});

/** Ends this session on the server and in the browser. For a form: `<form action={signOut}>`. */
export const signOut = buttonAction({
  name: "sign_out",
  role: "anyone",
  input: z.undefined(),
  body: async () => {
    const token = await requestToken();
    forgetSeen(token);
    await endSession(pools().own, token);
  },
  next: async (result) => {
    if (result.kind === "refused") return;
    // Where the database did not answer, the browser forgets its token all the same; the row ends by itself.
    await takeSession();
    redirect("/sign-in");
  },
});
