"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { setUpProblems } from "@/app/setup/words";
import type { FormProblems } from "@/app/sign-in/problems";
import { action } from "@/lib/auth/action";
import { NewAccount } from "@/lib/auth/credentials";
import { giveSession } from "@/lib/auth/request";
import { startSession } from "@/lib/auth/session";
import { redeemSetupToken } from "@/lib/auth/setup-token";
import { pools } from "@/lib/db/pools";

/** What the form shows again after a try; never the password. */
export type SetUpState = FormProblems & { username: string; displayName: string };

const setUp = action({
  name: "set_up",
  role: "anyone",
  input: NewAccount.extend({ token: z.string() }),
  body: async ({ input: { token, ...admin }, address, requestId }) => {
    const redeemed = await redeemSetupToken(pools().own, token, admin, { address, requestId });
    if (redeemed.kind !== "made") return redeemed;
    return { kind: "signed_in" as const, token: await startSession(pools().own, redeemed.userId) };
  },
});

/** The set-up form: makes the first admin and signs them in, or gives the form its problems. */
export async function submitSetUp(_before: SetUpState, form: FormData): Promise<SetUpState> {
  const text = (name: string) => String(form.get(name) ?? "");
  const kept = { username: text("username"), displayName: text("displayName") };
  const result = await setUp({ ...kept, token: text("token"), password: text("password") });
  if (result.kind !== "ok") return { ...kept, ...setUpProblems(result) };
  const { value } = result;
  // The page itself knows by now that it is over, and leads to sign-in.
  if (value.kind === "already_set_up") redirect("/setup");
  if (value.kind !== "signed_in") return { ...kept, ...setUpProblems({ kind: "ok", value }) };
  await giveSession(value.token);
  redirect("/");
}
