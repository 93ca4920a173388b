import { z } from "zod";
import { hashPassword } from "@/lib/auth/password";
import { ROLES, type Role } from "@/lib/auth/role";
import { maybe, one, type Queryable, type Sql } from "@/lib/db/pg";

/** $1 username, $2 display name, $3 role, $4 password hash, $5 reveal, $6 queues (null: all) */
const INSERT: Sql = {
  name: "user_insert",
  text: `insert into backstop.users (username, display_name, role, password_hash, reveal, queues)
values ($1, $2, $3, $4, $5, $6) returning user_id`,
};

/** $1 username */
const FIND: Sql = {
  name: "user_find_for_sign_in",
  text: `select user_id, display_name, role, password_hash, disabled_at is not null as disabled
from backstop.users where username = $1`,
};
const Found = z
  .object({
    user_id: z.uuid(),
    display_name: z.string(),
    role: z.enum(ROLES),
    password_hash: z.string(),
    disabled: z.boolean(),
  })
  .transform((row) => ({
    userId: row.user_id,
    displayName: row.display_name,
    role: row.role,
    passwordHash: row.password_hash,
    disabled: row.disabled,
  }));

/** What a user may do: their role, and what a role does not say (as in `Who`). */
export type Rights = { role: Role; reveal?: boolean; queues?: readonly string[] | null };

export type NewUser = { username: string; displayName: string; password: string } & Rights;

/** Usernames are one word whatever their case. */
export function normalUsername(text: string): string {
  return text.trim().toLowerCase();
}

/** The queues of a limit, each once; null: all. */
export function eachOnce(queues: readonly string[] | null): string[] | null {
  return queues && [...new Set(queues)];
}

/** Adds a user; gives the id. Throws Postgres's 23505 when the username is taken. */
export async function createUser(db: Queryable, { password, ...user }: NewUser): Promise<string> {
  return insertUser(db, { ...user, passwordHash: await hashPassword(password) });
}

/** As `createUser`, for a password that is hashed already (hashing takes a quarter second: not under a lock). */
export async function insertUser(
  db: Queryable,
  user: Omit<NewUser, "password"> & { passwordHash: string },
): Promise<string> {
  const { username, displayName, role, passwordHash, reveal = false, queues = null } = user;
  const values = [normalUsername(username), displayName.trim(), role, passwordHash, reveal, eachOnce(queues)];
  return (await one(db, INSERT, z.object({ user_id: z.uuid() }), values)).user_id;
}

/** What sign-in needs of a user; null: there is none of that name. */
export function findForSignIn(db: Queryable, username: string): Promise<z.output<typeof Found> | null> {
  return maybe(db, FIND, Found, [username]);
}
