import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export type TestKeeper = { child: ChildProcess; output(): string; end(signal?: NodeJS.Signals): Promise<void> };

/** What a keeper needs of its stores: a test file's own, or a bench's. */
export type KeeperStores = {
  postgresUrl(role: "backstop_read" | "backstop_own"): string;
  backstopSecret: string;
};

/** The real keeper as a process of its own. It has no engine to call. */
export function startKeeper(stores: KeeperStores, env: Record<string, string> = {}): TestKeeper {
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
