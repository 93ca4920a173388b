import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether a process with this id exists at all (it may be anybody's). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return !isZombie(pid);
}

/**
 * The processes that have exactly this path among their arguments and run as this uid: how a server of ours is told
 * from a stranger that got its old process id. Servers are started with a path of their own as one argument.
 */
export function processesWith(path: string, uid?: number): number[] {
  return list()
    .filter((found) => found.args.includes(path) && (uid === undefined || found.uid === uid))
    .map((found) => found.pid);
}

/** Whether this process is (still) the one with that path among its arguments: a process id alone proves nothing. */
export function isStill(pid: number, path: string): boolean {
  if (process.platform !== "linux") return processesWith(path).includes(pid);
  return readProc(pid)?.args.includes(path) === true && !isZombie(pid);
}

/** The processes that name the folder, or something below it, in an argument. */
export function processesWithin(folder: string): number[] {
  return list()
    .filter((found) => found.args.some((arg) => arg === folder || arg.startsWith(`${folder}/`)))
    .map((found) => found.pid);
}

/** Waits until the process is gone; false when it still is there after the time given. */
export async function waitGone(pid: number, timeoutMs: number): Promise<boolean> {
  const until = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > until) return false;
    await sleep(20);
  }
  return true;
}

type Found = { pid: number; uid: number; args: string[] };

function list(): Found[] {
  return process.platform === "linux" ? fromProc() : fromPs();
}

function fromProc(): Found[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => readProc(Number(pid))).filter((found) => found !== undefined);
}

function readProc(pid: number): Found | undefined {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return args.length > 1 ? { pid, uid: statSync(`/proc/${pid}`).uid, args } : undefined;
  } catch {
    // It ended while we looked, or it hides from us and so is not ours.
    return undefined;
  }
}

/** Elsewhere `ps` joins the arguments with spaces: a path with a space in it is not recognised there. */
function fromPs(): Found[] {
  const lines = execFileSync("ps", ["-axww", "-o", "pid=,uid=,command="], { encoding: "utf8" }).split("\n");
  const rows = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)).filter((row) => row !== null);
  return rows.map((row) => ({ pid: Number(row[1]), uid: Number(row[2]), args: (row[3] ?? "").split(" ") }));
}

/** A killed child whose parent has not asked for its exit code yet is dead for every purpose of ours. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) === "Z";
  } catch {
    return false;
  }
}
