import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pickPort } from "@/scripts/services/ports";
import { resetState } from "@/scripts/services/reset-state";
import { readSecrets } from "@/scripts/services/secrets";
import { existingData } from "@/scripts/services/state-dir";

export type Product = {
  url: string;
  /** The set-up link, as printed at the start; null once an admin exists. */
  setupUrl: string | null;
  /** How long it took from the start to `Ready:`, ms. */
  readyMs: number;
  stateDir: string;
  child: ChildProcess;
  output(): string;
  /** A pool on the embedded Postgres as one of its roles, closed with the product. */
  pool(role: "engine" | "backstop_own" | "backstop_read" | "postgres"): pg.Pool;
  /** Ends it and waits. Its state folder stays unless `forget`. */
  end(options?: { signal?: NodeJS.Signals; forget?: boolean }): Promise<void>;
};

/** No demo, and workers that look once and then sleep: what is put in afterwards stays as it is. */
export const QUIET_ENGINE = {
  BACKSTOP_DEMO: "0",
  PERSISTENCE_RETRY_POLL_MILLIS: "600000",
  SESSION_LIFECYCLE_INTERVAL_MILLIS: "600000",
};

const READY_MAX_MS = 240_000;

type Given = {
  /** One that was used before. */
  stateDir?: string;
  /** Begin with nothing at all, as a newcomer does: programs are copied and downloaded. */
  empty?: boolean;
  env?: Record<string, string>;
};

/** The programs that the store tests have copied and downloaded, if they ran here before. */
const PROGRAMS = "node_modules/.cache/backstop-bin";

function newStateDir(empty: boolean): string {
  const stateDir = mkdtempSync(join(tmpdir(), "backstop-e2e-"));
  // As root the servers run as another account, which must be able to enter.
  chmodSync(stateDir, 0o711);
  if (!empty && existsSync(PROGRAMS))
    cpSync(PROGRAMS, join(stateDir, "bin"), { recursive: true, verbatimSymlinks: true });
  return stateDir;
}

/** The whole product by its own start script, in a state folder of its own, as `npm start` runs it. */
export async function startProduct(given: Given = {}): Promise<Product> {
  const stateDir = given.stateDir ?? newStateDir(given.empty ?? false);
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/start.ts"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      ...clean(process.env),
      BACKSTOP_STATE_DIR: stateDir,
      PORT: String(await pickPort()),
      ...given.env,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const line = (name: string) => output.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1]?.trim() ?? null;
  await untilReady(
    child,
    () => line("Ready"),
    () => output,
  );
  const pools: pg.Pool[] = [];
  return {
    url: (line("Ready") ?? "").replace(/\/$/, ""),
    setupUrl: line("Set-up"),
    readyMs: performance.now() - startedAt,
    stateDir,
    child,
    output: () => output,
    pool(role) {
      const pool = new pg.Pool({ connectionString: postgresUrl(stateDir, role), max: 4 });
      pool.on("error", () => {});
      pools.push(pool);
      return pool;
    },
    async end({ signal = "SIGINT", forget = false } = {}) {
      await Promise.all(pools.map((pool) => pool.end()));
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill(signal);
        await ended;
      }
      if (!forget) return;
      await resetState(stateDir);
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

/** The environment without what would point the product at somebody's stores. */
function clean(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^(DATABASE_URL|REDIS_URL|PUBLIC_ORIGIN|READ_ONLY|BACKSTOP_(?!DIST_DIR).*)$/.test(name),
    ),
  );
}

/** Where the embedded Postgres of a state folder listens now: the fourth line of its pid file. */
function postgresUrl(stateDir: string, role: Parameters<Product["pool"]>[0]): string {
  const port = readFileSync(join(existingData(stateDir), "postgres", "postmaster.pid"), "utf8").split("\n")[3];
  return `postgres://${role}:${readSecrets(stateDir).postgres[role]}@127.0.0.1:${port}/aether`;
}

function untilReady(child: ChildProcess, ready: () => string | null, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (why: string) => {
      clearInterval(look);
      // Nobody has it yet who could end it.
      child.kill("SIGINT");
      reject(new Error(`${why}\n${output()}`));
    };
    const since = performance.now();
    const look = setInterval(() => {
      if (ready() !== null) {
        clearInterval(look);
        resolve();
      } else if (child.exitCode !== null) giveUp(`the product ended with ${child.exitCode}`);
      else if (performance.now() - since > READY_MAX_MS) giveUp("the product is not ready");
    }, 50);
  });
}
