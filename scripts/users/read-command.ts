import { parseArgs } from "node:util";
import { z } from "zod";
import { NewAccount } from "@/lib/auth/credentials";
import { ROLES } from "@/lib/auth/role";
import { markUnseen } from "@/lib/domain/unseen";

export const USAGE = `npm run users -- create USERNAME --role viewer|operator|admin [--name "Full Name"]
npm run users -- reset USERNAME     another password, shown once; ends their sessions and API tokens; enables them
npm run users -- revoke USERNAME    ends their sessions and API tokens
npm run users -- list`;

const Create = NewAccount.pick({ username: true, displayName: true }).extend({
  role: z.enum(ROLES, `One of ${ROLES.join(", ")}.`),
});
/** What is wrong is named as it was typed. */
const TYPED: Record<string, string> = { username: "username", displayName: "--name", role: "--role" };

export type UsersCommand =
  | ({ kind: "create" } & z.output<typeof Create>)
  | { kind: "reset" | "revoke"; username: string }
  | { kind: "list" };
type Wrong = { kind: "wrong"; why: string };

const wrong = (why: string): Wrong => ({ kind: "wrong", why });

/** What was asked for on the command line, or what is wrong with it. */
export function readUsersCommand(args: readonly string[]): UsersCommand | { kind: "help" } | Wrong {
  const { words, options, problem } = wordsOf(args);
  if (options.has("help")) return { kind: "help" };
  const [verb, username, extra] = words;
  if (verb === undefined) return wrong(problem ?? "What is to be done?");
  if (verb !== "create" && verb !== "reset" && verb !== "revoke" && verb !== "list")
    return wrong(`${markUnseen(verb)} was not understood.`);
  if (problem !== null) return wrong(verb === "create" ? problem : `${verb} takes no options.`);
  const surplus = verb === "list" ? username : extra;
  if (surplus !== undefined) return wrong(`${markUnseen(surplus)} was not understood.`);
  if (verb !== "create" && options.size > 0) return wrong(`${verb} takes no options.`);
  if (verb === "list") return { kind: "list" };
  if (username === undefined || username.trim() === "") return wrong(`The username is missing: ${verb} USERNAME.`);
  if (verb !== "create") return { kind: verb, username: username.trim().toLowerCase() };
  if (!options.has("role")) return wrong(`--role is missing: ${ROLES.join(", ")}.`);
  const given = { username, displayName: options.get("name") ?? username, role: options.get("role") };
  const parsed = Create.safeParse(given);
  if (parsed.success) return { kind: "create", ...parsed.data };
  const [issue] = parsed.error.issues;
  return wrong(`${TYPED[String(issue?.path[0])]}: ${issue?.message}`);
}

/** What was typed without and with dashes, `--role admin` and `--role=admin` alike, and what of the latter is wrong. */
function wordsOf(args: readonly string[]) {
  const { positionals, tokens } = parseArgs({
    args: [...args],
    options: { role: { type: "string" }, name: { type: "string" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const options = new Map<string, string>();
  let problem: string | null = null;
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, value = "" } = token;
    const takes = name === "role" || name === "name";
    if (options.has(name)) problem ??= `--${markUnseen(name)} was given twice.`;
    else if (name !== "help" && (!takes || value === "" || (!token.inlineValue && value.startsWith("--"))))
      problem ??= "create takes --role and --name, each with a value.";
    options.set(name, value);
  }
  return { words: positionals, options, problem };
}
