import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export type TestKeeper = { child: ChildProcess; output(): string; end(signal?: NodeJS.Signals): Promise<void> };

/** What a keeper needs of its stores: a test file's own, or a bench's. */
export type KeeperStores = {
  postgresUrl(role: "backstop_read" | "backstop_own"): string;
  backstopSecret: string;
};

export type KeeperOptions = {
  env?: Record<string, string>;
  /** What Postgres calls its sessions. */
  name?: string;
  /** Other arguments of `node` than those that run the keeper from its sources. */
  program?: readonly string[];
};

/** It ends with whoever started it, however that ends. */
const PROGRAM = ["--import", "tsx", "--import", "./scripts/services/end-with-parent.mjs", "lib/keeper/main.ts"];

/** The real keeper as a process of its own. It has no engine to call, unless its environment names one. */
export function startKeeper(
  stores: KeeperStores,
  { env = {}, name, program = PROGRAM }: KeeperOptions = {},
): TestKeeper {
  const url = (role: Parameters<KeeperStores["postgresUrl"]>[0]) => {
    const given = new URL(stores.postgresUrl(role));
    if (name !== undefined) given.searchParams.set("application_name", name);
    return given.href;
  };
  const child = spawn(process.execPath, program, {
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      NODE_ENV: "test",
      PATH: process.env.PATH,
      DATABASE_URL: url("backstop_read"),
      BACKSTOP_DATABASE_URL: url("backstop_own"),
      BACKSTOP_SECRET: stores.backstopSecret,
      ...env,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return {
    child,
    output: () => output,
    async end(signal = "SIGKILL") {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    },
  };
}
