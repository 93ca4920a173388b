import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Account, serverEnv, spawnAs } from "./account";
import { waitForLock } from "./lock";
import { downloadRedis } from "./redis-apt";

export type RedisBinary = { command: string; env: Record<string, string> };

/** `%R~` patterns and `enable-debug-command` came with 7.0; Valkey began above it. */
const OLDEST_MAJOR = 7;
const NAMES = ["redis-server", "valkey-server"];

/**
 * A Redis (or Valkey) of this machine, one downloaded earlier, or one downloaded now. Throws one clear line that names
 * the ways out.
 */
export async function redisBinary(
  bin: string,
  account: Account,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<RedisBinary> {
  const onPath = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  for (const folder of [...new Set([...onPath, "/usr/bin", "/usr/local/bin"])]) {
    const found = inFolder(folder, account, {});
    if (found) return found;
  }
  const known = downloaded(bin, account);
  if (known) return known;
  // Starters that share the folder wait for one download.
  const unlock = await waitForLock(bin);
  try {
    const other = downloaded(bin, account);
    if (other) return other;
    const reason = await downloadRedis(bin, log, signal);
    const fresh = downloaded(bin, account);
    if (fresh) return fresh;
    throw new Error(
      `No Redis ${OLDEST_MAJOR} or later (${reason ?? "the downloaded one does not run"}). Install redis-server or valkey-server, or set REDIS_URL and DATABASE_URL to stores that run.`,
    );
  } finally {
    await unlock();
  }
}

function downloaded(bin: string, account: Account): RedisBinary | undefined {
  const names = readdirSync(bin).filter((name) => name.startsWith("redis-"));
  for (const root of names.map((name) => join(bin, name))) {
    const env = { LD_LIBRARY_PATH: libraryFolders(root).join(delimiter) };
    const found = inFolder(join(root, "usr", "bin"), account, env);
    if (found) return found;
  }
  return undefined;
}

/** Debian keeps libraries in a folder named after the machine (`usr/lib/x86_64-linux-gnu`). */
function libraryFolders(root: string): string[] {
  const roots = [join(root, "usr", "lib"), join(root, "lib")].filter((folder) => existsSync(folder));
  return roots.flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))]);
}

/** One that the account can run and that is new enough; it is asked, since a library may have gone meanwhile. */
function inFolder(folder: string, account: Account, env: Record<string, string>): RedisBinary | undefined {
  for (const name of NAMES) {
    const command = join(folder, name);
    if (!existsSync(command)) continue;
    const asked = spawnSync(command, ["--version"], {
      ...spawnAs(account),
      cwd: "/",
      env: serverEnv(env),
      encoding: "utf8",
    });
    const major = Number(/v=(\d+)\./.exec(asked.stdout ?? "")?.[1]);
    if (asked.status === 0 && major >= OLDEST_MAJOR) return { command, env };
  }
  return undefined;
}
