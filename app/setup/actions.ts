"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { setUpProblems } from "@/app/setup/words";
import type { FormProblems } from "@/app/sign-in/problems";
import { NewAccount } from "@/lib/auth/credentials";
import { formAction } from "@/lib/auth/form-action";
import { giveSession } from "@/lib/auth/request";
import { startSession } from "@/lib/auth/session";
import { redeemSetupToken } from "@/lib/auth/setup-token";
import { pools } from "@/lib/db/pools";

/** What the form shows again after a try; never the password. */
export type SetUpState = FormProblems & { username: string; displayName: string };

const text = (form: FormData, name: string) => String(form.get(name) ?? "");
const kept = (form: FormData) => ({ username: text(form, "username"), displayName: text(form, "displayName") });

/** The set-up form: makes the first admin and signs them in, or gives the form its problems. */
export const submitSetUp = formAction({
  name: "set_up",
  role: "anyone",
  input: NewAccount.extend({ token: z.string() }),
  read: (form) => ({ ...kept(form), token: text(form, "token"), password: text(form, "password") }),
  body: async ({ input: { token, ...admin }, address, requestId }) => {
    const redeemed = await redeemSetupToken(pools().own, token, admin, { address, requestId });
    if (redeemed.kind !== "made") return redeemed;
    return { kind: "signed_in" as const, token: await startSession(pools().own, redeemed.userId) };
  },
  next: async (result, form): Promise<SetUpState> => {
    if (result.kind !== "ok") return { ...kept(form), ...setUpProblems(result) };
    const { value } = result;
    // The page itself knows by now that it is over, and leads to sign-in.
    if (value.kind === "already_set_up") redirect("/setup");
    if (value.kind !== "signed_in") return { ...kept(form), ...setUpProblems({ kind: "ok", value }) };
    await giveSession(value.token);
    redirect("/");
  },
});
