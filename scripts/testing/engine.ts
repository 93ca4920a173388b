import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createRpcClient } from "@/lib/internal-rpc/client";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import { pickPort } from "@/scripts/services/ports";
import type { TestStores } from "./stores";

export const AUDIENCE = "engine.test.internal";

export type TestEngine = {
  url: string;
  port: number;
  child: ChildProcess;
  /** All that it printed, for a failing test to show. */
  output(): string;
  /** A client that calls it, or another address (a proxy before it). */
  client(url?: string): ReturnType<typeof createRpcClient>;
  /** Ends it and waits. `SIGKILL` unless told otherwise. */
  end(signal?: NodeJS.Signals): Promise<void>;
};

/** Settings under which nothing waits for seconds. */
const FAST = {
  PERSISTENCE_RETRY_POLL_MILLIS: "50",
  PERSISTENCE_RETRY_BACKOFF_MILLIS: "20",
  PERSISTENCE_RETRY_BACKOFF_CAP_MILLIS: "100",
  PERSISTENCE_RETRY_LIMIT: "3",
};

/** What an engine needs of its stores: a test file's own, or somebody's. */
export type EngineStores = Pick<TestStores, "rpcKeys" | "backstopSecret"> & {
  postgresUrl(role: "engine"): string;
  redisUrl(user: "engine"): string;
};

/** The real engine as a process of its own, on the file's database. `env` adds settings and failpoints. */
export async function startEngine(stores: EngineStores, env: Record<string, string> = {}): Promise<TestEngine> {
  const port = await pickPort();
  const child = spawn(process.execPath, ["--import", "tsx", "lib/engine/main.ts"], {
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      NODE_ENV: "test",
      PATH: process.env.PATH,
      BACKSTOP_ENGINE_DATABASE_URL: stores.postgresUrl("engine"),
      BACKSTOP_ENGINE_REDIS_URL: stores.redisUrl("engine"),
      BACKSTOP_ENGINE_PORT: String(port),
      BACKSTOP_RPC_AUDIENCE: AUDIENCE,
      BACKSTOP_RPC_KEYS: stores.rpcKeys,
      BACKSTOP_SECRET: stores.backstopSecret,
      ...FAST,
      ...env,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const url = `http://127.0.0.1:${port}`;
  await untilHealthy(url, child, () => output);
  return {
    url,
    port,
    child,
    output: () => output,
    client: (at = url) => createRpcClient({ engineUrl: at, audience: AUDIENCE, keys: parseRpcKeys(stores.rpcKeys) }),
    async end(signal = "SIGKILL") {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    },
  };
}

async function untilHealthy(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the engine ended with ${child.exitCode}:\n${output()}`);
    const ok = await fetch(`${url}/health`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ok) return;
    await sleep(50);
  }
  throw new Error(`the engine does not answer:\n${output()}`);
}
