import type { Pool } from "pg";
import { createApiToken, type Scope } from "@/lib/auth/api-tokens";
import type { Role } from "@/lib/auth/role";
import { endSession, startSession } from "@/lib/auth/session";
import { insertUser, type Rights } from "@/lib/auth/users";

/** Somebody who asks: what their requests carry, and what they should be taken for. */
export type Person = {
  name: string;
  headers: Record<string, string>;
  /** Their role where a session counts; null: they are nobody. */
  role: Role | null;
  /** They came with a token, which is for this; null: it is none, or not any more. */
  scopes?: Scope[] | null;
  /** They may see no queue but the session lifecycle. */
  limited?: true;
};

const cookie = (token: string) => ({ cookie: `backstop=${token}` });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const BY = { actor: { id: "test", name: "test", role: "system" }, address: null, requestId: null };

/** One of everybody who could ask, with accounts and sessions made in the console's own database. */
export async function makePeople(own: Pool): Promise<Person[]> {
  const user = async (username: string, rights: Rights) => {
    const userId = await insertUser(own, { username, displayName: username, passwordHash: "-", ...rights });
    return { userId, token: await startSession(own, userId) };
  };
  const token = async (userId: string, scopes: Scope[]) => {
    const made = await createApiToken(own, userId, { name: "walk", scopes, days: 1 }, BY);
    return made.kind === "made" ? made.token : "";
  };
  const [viewer, operator, admin] = [
    await user("viewer", { role: "viewer" }),
    await user("operator", { role: "operator" }),
    await user("admin", { role: "admin" }),
  ];
  const limited = await user("limited", { role: "operator", queues: ["session-lifecycle"] });
  const disabled = await user("disabled", { role: "admin" });
  const disabledToken = await token(disabled.userId, ["read", "mark"]);
  await own.query("update backstop.users set disabled_at = now() where user_id = $1", [disabled.userId]);
  const expired = await user("expired", { role: "admin" });
  const expiredToken = await token(expired.userId, ["read", "mark"]);
  await own.query("update backstop.sessions set expires_at = now() where user_id = $1", [expired.userId]);
  await own.query("update backstop.api_tokens set expires_at = now() where user_id = $1", [expired.userId]);
  const revoked = await user("revoked", { role: "admin" });
  const revokedToken = await token(revoked.userId, ["read", "mark"]);
  await endSession(own, revoked.token);
  await own.query("update backstop.api_tokens set revoked_at = now() where user_id = $1", [revoked.userId]);
  const reads = await token(admin.userId, ["read"]);
  return [
    { name: "nobody", headers: {}, role: null },
    { name: "an invented cookie", headers: cookie("A".repeat(43)), role: null },
    { name: "viewer", headers: cookie(viewer.token), role: "viewer" },
    { name: "operator", headers: cookie(operator.token), role: "operator" },
    { name: "admin", headers: cookie(admin.token), role: "admin" },
    { name: "limited operator", headers: cookie(limited.token), role: "operator", limited: true },
    { name: "disabled admin", headers: cookie(disabled.token), role: null },
    { name: "expired admin", headers: cookie(expired.token), role: null },
    { name: "revoked admin", headers: cookie(revoked.token), role: null },
    { name: "token that reads", headers: bearer(reads), role: "admin", scopes: ["read"] },
    {
      name: "token that marks",
      headers: bearer(await token(operator.userId, ["mark"])),
      role: "operator",
      scopes: ["mark"],
    },
    {
      name: "a viewer's token that marks",
      headers: bearer(await token(viewer.userId, ["mark"])),
      role: "viewer",
      scopes: ["mark"],
    },
    {
      name: "limited token",
      headers: bearer(await token(limited.userId, ["read"])),
      role: "operator",
      scopes: ["read"],
      limited: true,
    },
    ...[disabledToken, expiredToken, revokedToken, "backstop_x"].map((text, at) => ({
      name: ["disabled token", "expired token", "revoked token", "invented token"][at] ?? "",
      headers: bearer(text),
      role: null,
      scopes: null,
    })),
  ];
}
