import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";

/** Who the database servers run as. `undefined` ids mean: as whoever runs us. */
export type Account = { uid: number; gid: number };

const CANDIDATES = ["nobody", "daemon", "www-data", "backstop"];

/**
 * The account for the servers: ourselves, or, where we are root (Postgres refuses root), the owner of the data that is
 * already there, else an unprivileged account that exists on every system. Throws where there is none.
 */
export function serverAccount(existingData?: string): Account {
  if (!process.getuid || !process.getgid) {
    throw new Error(`Stores of its own need Linux or macOS, not ${process.platform}: set DATABASE_URL and REDIS_URL.`);
  }
  const [uid, gid] = [process.getuid(), process.getgid()];
  if (uid !== 0) return { uid, gid };
  const owner = existingData ? statSync(existingData, { throwIfNoEntry: false }) : undefined;
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of CANDIDATES) {
    const fields = users.find((line) => line.startsWith(`${name}:`))?.split(":");
    // macOS writes nobody as -2, which a uid_t reads as 4294967294.
    if (fields) return { uid: Number(fields[2]) >>> 0, gid: Number(fields[3]) >>> 0 };
  }
  throw new Error(`Running as root needs an unprivileged account for the servers: none of ${CANDIDATES.join(", ")}.`);
}

/** What `spawn` needs to run something as the account: nothing where that is us. */
export function spawnAs(account: Account): { uid?: number; gid?: number } {
  return account.uid === process.getuid?.() ? {} : account;
}

/**
 * Whether the account can walk into the folder. It is tried, not computed: mode bits alone know nothing of ACLs.
 */
export function canEnter(folder: string, account: Account): boolean {
  if (account.uid === process.getuid?.()) return true;
  const tried = spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], {
    ...spawnAs(account),
    cwd: "/",
    stdio: "ignore",
  });
  return tried.status === 0;
}

/**
 * Runs a small system command as the account; answers whether it went well. What lies in the account's own folders is
 * changed by the account: other programs may run as it, too, and would get root to follow a link that they have laid.
 */
export function runAs(account: Account, command: string, args: string[]): boolean {
  const env = serverEnv({ PATH: process.env.PATH ?? "/usr/bin:/bin" });
  return spawnSync(command, args, { ...spawnAs(account), cwd: "/", env, stdio: "ignore" }).status === 0;
}

/** The whole environment of a server program: nothing of ours leaks into it. */
export function serverEnv(extra: Record<string, string>): NodeJS.ProcessEnv {
  return { NODE_ENV: "production", PATH: "/usr/bin:/bin", TZ: "UTC", LC_ALL: "C", ...extra };
}
