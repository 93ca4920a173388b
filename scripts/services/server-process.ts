import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, closeSync, openSync } from "node:fs";
import { type Account, serverEnv, spawnAs } from "./account";
import { isStill, waitGone } from "./processes";

/** One running server: a child of ours, or one adopted from an earlier starter. */
export type ServerProcess = {
  pid: number;
  adopted: boolean;
  /** Resolves when it has ended, with how; null when it was not our child. */
  ended: Promise<string | null>;
  hasEnded(): boolean;
};

/**
 * Starts a server in a session of its own, so that Ctrl-C in a terminal reaches the supervisor alone, and with its
 * output in a file, so that it outlives a killed starter.
 */
export async function spawnServer(
  command: string,
  args: string[],
  options: { account: Account; env: Record<string, string>; logFile: string },
): Promise<ServerProcess> {
  const out = openSync(options.logFile, "a", 0o600);
  chmodSync(options.logFile, 0o600);
  try {
    const child = spawn(command, args, {
      ...spawnAs(options.account),
      cwd: "/",
      env: serverEnv(options.env),
      stdio: ["ignore", out, out],
      detached: true,
    });
    return await asServer(child);
  } finally {
    closeSync(out);
  }
}

async function asServer(child: ChildProcess): Promise<ServerProcess> {
  let over = false;
  const ended = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => {
      over = true;
      resolve(signal ? `signal ${signal}` : `exit code ${code}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  // A starter that forgets to stop its servers must still be able to end.
  child.unref();
  return { pid: child.pid ?? 0, adopted: false, ended, hasEnded: () => over };
}

/** Watches a server that an earlier starter left running. `path` is the argument that proves that the pid is still it. */
export function adoptServer(pid: number, path: string): ServerProcess {
  const isGone = () => !isStill(pid, path);
  let over = false;
  const ended = new Promise<null>((resolve) => {
    const timer = setInterval(() => {
      over = over || isGone();
      if (!over) return;
      clearInterval(timer);
      resolve(null);
    }, 250);
    timer.unref();
  });
  return { pid, adopted: true, ended, hasEnded: () => over || isGone() };
}

/**
 * Ends the server and answers when it is gone: each signal gets its time, the last is SIGKILL. The pid is looked at
 * again before each, as it may be somebody else's by then.
 */
export async function endServer(pid: number, path: string, signals: [NodeJS.Signals, number][]): Promise<void> {
  for (const [signal, timeoutMs] of [...signals, ["SIGKILL", 5_000] as [NodeJS.Signals, number]]) {
    if (!isStill(pid, path)) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await waitGone(pid, timeoutMs)) return;
  }
}
