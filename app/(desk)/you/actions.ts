"use server";

import { z } from "zod";
import { action } from "@/lib/auth/action";
import { createApiToken, revokeApiToken } from "@/lib/auth/api-tokens";
import { byOf } from "@/lib/auth/by";
import { changeOwnPassword } from "@/lib/auth/change-password";
import { NewAccount } from "@/lib/auth/credentials";
import { PASSWORD_MAX } from "@/lib/auth/password";
import { giveSession, requestToken } from "@/lib/auth/request";
import { forgetSeenOf } from "@/lib/auth/seen-sessions";
import { TokenInput } from "@/lib/auth/token-input";
import { pools } from "@/lib/db/pools";

const PasswordInput = z.object({
  current: z
    .string()
    .min(1, "Your present password is missing.")
    // Nobody's password is longer.
    .max(PASSWORD_MAX, "That is not your present password."),
  next: NewAccount.shape.password,
});

/** Changes one's own password: every session and API token of before ends, and this browser is given a new one. */
export const changePassword = action({
  name: "change_password",
  role: "viewer",
  input: PasswordInput,
  body: async ({ input, ...asked }) => {
    const { userId, username } = asked.who;
    const ended = await changeOwnPassword(
      pools().own,
      { userId, username, token: await requestToken(), ...input },
      byOf(asked),
    );
    if (ended.kind !== "changed") return ended;
    forgetSeenOf(userId);
    await giveSession(ended.token);
    return { kind: "changed" as const };
  },
});

/** Makes an API token of one's own, which is told this once. */
export const makeToken = action({
  name: "token_create",
  role: "viewer",
  input: TokenInput,
  body: async ({ input, ...asked }) => createApiToken(pools().own, asked.who.userId, input, byOf(asked)),
});

/** Revokes one of one's own. */
export const dropToken = action({
  name: "token_revoke",
  role: "viewer",
  input: z.object({ tokenId: z.uuid() }),
  body: async ({ input, ...asked }) => revokeApiToken(pools().own, asked.who.userId, input.tokenId, byOf(asked)),
});
