import type pg from "pg";
import { addUser } from "@/lib/auth/add-user";
import type { By } from "@/lib/auth/by";
import { changeUser } from "@/lib/auth/change-user";
import { listUsers } from "@/lib/auth/list-users";
import { hashPassword, newPassword } from "@/lib/auth/password";
import { findForSignIn } from "@/lib/auth/users";
import { markUnseen } from "@/lib/domain/unseen";
import type { UsersCommand } from "./read-command";

/** What is printed, and whether it was done. Passwords go to standard output alone. */
export type CommandEnding = { ok: boolean; lines: string[] };

/** Does what was asked on the console's own database; each change is audited as the command line's. */
export async function runUsersCommand(pool: pg.Pool, command: UsersCommand, by: By): Promise<CommandEnding> {
  switch (command.kind) {
    case "list":
      return { ok: true, lines: await listed(pool) };
    case "create": {
      const { kind: _verb, ...account } = command;
      const added = await addUser(pool, account, by);
      if (added.kind !== "added") return { ok: false, lines: [NOT_ADDED[added.kind](account.username)] };
      return { ok: true, lines: [`${account.username} is added as ${account.role}.`, `Password: ${added.password}`] };
    }
    case "reset": {
      const found = await findForSignIn(pool, command.username);
      if (!found) return nobody(command.username);
      const password = newPassword();
      await changeUser(pool, found.userId, { verb: "reset", passwordHash: await hashPassword(password) }, by);
      // Whoever is locked out may have been disabled by who should not have.
      if (found.disabled) await changeUser(pool, found.userId, { verb: "enable" }, by);
      const enabled = found.disabled ? " The account was disabled, and may sign in again." : "";
      return { ok: true, lines: [`The password of ${command.username} is reset.${enabled}`, `Password: ${password}`] };
    }
    case "revoke": {
      const found = await findForSignIn(pool, command.username);
      if (!found) return nobody(command.username);
      const ended = await changeUser(pool, found.userId, { verb: "revoke" }, by);
      const sessions = ended.kind === "done" ? ended.sessions : 0;
      return { ok: true, lines: [`${command.username} is signed out everywhere (sessions ended: ${sessions}).`] };
    }
    default:
      return command satisfies never;
  }
}

const NOT_ADDED = {
  taken: (username: string) => `There is a user ${username} already.`,
  // Never of the command line, which needs no account: said all the same rather than passed by.
  not_admin: (username: string) => `${username} was not added: this needs the admin role.`,
};

const nobody = (username: string): CommandEnding => ({
  ok: false,
  lines: [`There is no user ${markUnseen(username)}.`],
});

async function listed(pool: pg.Pool): Promise<string[]> {
  const users = await listUsers(pool);
  if (users.length === 0) return ["There is no user yet: open the set-up link that npm start printed."];
  return users.map(({ username, displayName, role, disabledMs, sessions }) =>
    [
      username,
      markUnseen(displayName),
      role,
      disabledMs === null ? "may sign in" : "disabled",
      `sessions: ${sessions}`,
    ].join("\t"),
  );
}
