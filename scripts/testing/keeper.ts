import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { TestStores } from "./stores";

export type TestKeeper = { child: ChildProcess; output(): string; end(signal?: NodeJS.Signals): Promise<void> };

/** The real keeper as a process of its own, on the file's database. It has no engine to call. */
export function startKeeper(stores: TestStores, env: Record<string, string> = {}): TestKeeper {
  const child = spawn(process.execPath, ["--import", "tsx", "lib/keeper/main.ts"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "test",
      PATH: process.env.PATH,
      DATABASE_URL: stores.postgresUrl("backstop_read"),
      BACKSTOP_DATABASE_URL: stores.postgresUrl("backstop_own"),
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
