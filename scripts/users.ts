import { userInfo } from "node:os";
import { createPool } from "@/lib/db/pg";
import { ownUrlOf } from "./users/own-url";
import { readUsersCommand, USAGE } from "./users/read-command";
import { runUsersCommand } from "./users/run-command";

/**
 * `npm run users -- create|reset|revoke|list`: for who is locked out. It needs no sign-in, but the console's own database:
 * whoever can run this could read and write that anyway. Each change is in the audit.
 */
const command = readUsersCommand(process.argv.slice(2));
if (command.kind === "help") {
  console.log(USAGE);
  process.exit(0);
}
if (command.kind === "wrong") {
  console.error(`${command.why}\n\n${USAGE}`);
  process.exit(2);
}
const url = ownUrlOf(process.env);
if (url.kind === "missing") {
  console.error(url.why);
  process.exit(1);
}
const pool = createPool({ url: url.url, application: "backstop-users", max: 1, statementTimeoutMs: 5_000 });
try {
  const { username } = userInfo();
  // An id of its own: what was done from a shell is found in the audit apart from what Backstop did by itself.
  const by = { actor: { id: `command_line:${username}`, name: `command line (${username})`, role: "system" } };
  const { lines, ok } = await runUsersCommand(pool, command, { ...by, address: null, requestId: null });
  for (const line of lines) (ok ? console.log : console.error)(line);
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  console.error(`Nothing was changed: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await pool.end();
}
