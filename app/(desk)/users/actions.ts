"use server";

import { z } from "zod";
import { adminAction } from "@/lib/auth/action";
import { addUser } from "@/lib/auth/add-user";
import { byOf } from "@/lib/auth/by";
import { changeUser, type UserChange } from "@/lib/auth/change-user";
import { NewAccount } from "@/lib/auth/credentials";
import { hashPassword, newPassword } from "@/lib/auth/password";
import { giveSession, requestToken } from "@/lib/auth/request";
import { ROLES } from "@/lib/auth/role";
import type { Asked } from "@/lib/auth/run-action";
import { forgetSeenOf } from "@/lib/auth/seen-sessions";
import { pools } from "@/lib/db/pools";
import { QueueName } from "@/lib/domain/queue";

const Rights = z
  .object({
    role: z.enum(ROLES),
    reveal: z.boolean(),
    queues: z.array(QueueName).min(1, "Choose at least one queue, or all.").max(50, "At most 50 queues.").nullable(),
  })
  // An admin could take a limit off themselves.
  .transform((rights) => (rights.role === "admin" ? { ...rights, queues: null } : rights));

const { username, displayName } = NewAccount.shape;

/** Adds a user; their first password is told this once. */
export const addAccount = adminAction(
  "user_create",
  z.object({ username, displayName, rights: Rights }),
  async ({ input: { rights, ...account }, ...asked }) => addUser(pools().own, { ...account, ...rights }, byOf(asked)),
);

const Target = z.object({ userId: z.uuid() });

type AdminAsked<I> = Asked<"admin", I>;

async function change(asked: AdminAsked<{ userId: string }>, what: UserChange) {
  const { input, who } = asked;
  // Whoever changes themselves goes on in a new session; the old token is worth nothing any more.
  const ownToken = input.userId === who.userId ? await requestToken() : undefined;
  const ended = await changeUser(pools().own, input.userId, what, byOf(asked), ownToken);
  if (ended.kind !== "done") return ended;
  const { token, ...told } = ended;
  forgetSeenOf(input.userId);
  if (token !== undefined) await giveSession(token);
  return told;
}

/** Changes a user's role, limits and permissions; their sessions end. */
export const changeRights = adminAction("user_rights", Target.extend({ rights: Rights }), (asked) =>
  change(asked, { verb: "rights", rights: asked.input.rights }),
);

/** Lets a user in no more; their sessions and API tokens end. */
export const disableUser = adminAction("user_disable", Target, (asked) => change(asked, { verb: "disable" }));

/** Lets a disabled user sign in again. */
export const enableUser = adminAction("user_enable", Target, (asked) => change(asked, { verb: "enable" }));

/** Gives a user another password, which is told this once; their sessions and API tokens end. */
export const resetPassword = adminAction("user_reset", Target, async (asked) => {
  const password = newPassword();
  const ended = await change(asked, { verb: "reset", passwordHash: await hashPassword(password) });
  return ended.kind === "done" ? { ...ended, password } : ended;
});

/** Ends a user's sessions and API tokens; they may sign in again. */
export const revokeSessions = adminAction("user_revoke", Target, (asked) => change(asked, { verb: "revoke" }));
