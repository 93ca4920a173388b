import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { processesWithin } from "./processes";
import { resetState } from "./reset-state";

/** For the tests of this folder: a state folder of their own, with the programs that all test runs share. */
export function scratchState(parent = tmpdir()): { stateDir: string; binDir: string; remove(): Promise<void> } {
  const stateDir = join(parent, `backstop-scratch-${randomBytes(6).toString("hex")}`);
  return {
    stateDir,
    binDir: join(process.cwd(), "node_modules/.cache/backstop-bin"),
    async remove() {
      // A test that failed may have left one.
      await Promise.all([...holders].map(killHard));
      await resetState(stateDir);
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

const holders = new Set<ChildProcess>();

export type Holder = {
  child: ChildProcess;
  /** What it printed when its servers were up. */
  up: Promise<{ postgres: number; redis: number; postgresPort: number; redisPort: number }>;
};

/** Another process that starts the services of a state folder and holds them until it is killed. */
export function holdServices(stateDir: string, binDir: string, options: Record<string, unknown> = {}): Holder {
  const given = JSON.stringify({ stateDir, binDir, fast: true, ...options });
  const program = `
    import { startServices } from "./scripts/services/index.ts";
    const { postgres, redis } = await startServices(${given});
    console.log(JSON.stringify({
      postgres: postgres.pid(), redis: redis.pid(), postgresPort: postgres.port, redisPort: redis.port,
    }));
    setInterval(() => {}, 60_000);
  `;
  const args = ["--import", "tsx", "--input-type=module", "-e", program];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  holders.add(child);
  child.once("exit", () => holders.delete(child));
  const up = new Promise<Awaited<Holder["up"]>>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once("line", (line) => resolve(JSON.parse(line)));
    child.once("exit", (code) => reject(new Error(`the holder ended with ${code}`)));
  });
  up.catch(() => {});
  return { child, up };
}

/** SIGKILL, and waits. */
export async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Waits for something to become true; throws after 100 s. */
export async function until(
  what: string,
  check: () => boolean | Promise<boolean>,
  shown?: () => string,
): Promise<void> {
  for (const end = Date.now() + 100_000; Date.now() < end; await sleep(5)) if (await check()) return;
  throw new Error(`not within 100 s: ${what}${shown ? `\n${shown()}` : ""}`);
}

/** The servers (not their workers) that run from files below a folder. */
export function serversIn(folder: string): number[] {
  return existsSync(folder) ? processesWithin(folder) : [];
}
