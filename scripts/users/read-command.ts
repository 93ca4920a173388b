import { z } from "zod";
import { NewAccount } from "@/lib/auth/credentials";
import { ROLES } from "@/lib/auth/role";

export const USAGE = `npm run users -- create USERNAME --role viewer|operator|admin [--name "Full Name"]
npm run users -- reset USERNAME     another password, shown once; ends their sessions and API tokens; enables them
npm run users -- revoke USERNAME    ends their sessions and API tokens
npm run users -- list`;

const Create = NewAccount.pick({ username: true, displayName: true }).extend({ role: z.enum(ROLES) });

export type UsersCommand =
  | ({ kind: "create" } & z.output<typeof Create>)
  | { kind: "reset" | "revoke"; username: string }
  | { kind: "list" };

/** What was asked for on the command line, or what is wrong with it. */
export function readUsersCommand(args: readonly string[]): UsersCommand | { kind: "wrong"; why: string } {
  const [verb, ...rest] = args;
  if (verb === "list" && rest.length === 0) return { kind: "list" };
  const [username = "", ...options] = rest;
  if ((verb === "reset" || verb === "revoke") && username !== "" && options.length === 0)
    return { kind: verb, username: username.trim().toLowerCase() };
  if (verb !== "create") return { kind: "wrong", why: verb ? `${verb} was not understood.` : "What is to be done?" };
  const given = optionsOf(options);
  if (given === null) return { kind: "wrong", why: "create takes --role and --name, each with a value." };
  const parsed = Create.safeParse({ username, displayName: given.name ?? username, role: given.role });
  if (parsed.success) return { kind: "create", ...parsed.data };
  const [issue] = parsed.error.issues;
  return { kind: "wrong", why: `${String(issue?.path[0])}: ${issue?.message}` };
}

function optionsOf(words: readonly string[]): { role?: string; name?: string } | null {
  const given: { role?: string; name?: string } = {};
  for (let at = 0; at < words.length; at += 2) {
    const [option, value] = [words[at], words[at + 1]];
    if (value === undefined) return null;
    if (option === "--role") given.role = value;
    else if (option === "--name") given.name = value;
    else return null;
  }
  return given;
}
