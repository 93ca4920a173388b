import { spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { serverEnv, spawnAs } from "./account";
import { draftName, removeTree, writeWhole } from "./files";
import type { PostgresBinaries } from "./postgres-binaries";
import type { Layout } from "./state-dir";

/**
 * Makes the data folder if there is none: drafted beside it and renamed when complete, so that a start that was killed
 * in the middle leaves nothing that looks like a database. Answers its path.
 */
export async function initPostgres(
  layout: Layout,
  binaries: PostgresBinaries,
  superuserPassword: string,
  fast: boolean,
): Promise<string> {
  const dataDir = join(layout.data, "postgres");
  if (existsSync(join(dataDir, "PG_VERSION"))) {
    const major = readFileSync(join(dataDir, "PG_VERSION"), "utf8").trim();
    if (binaries.version.split(".")[0] === major) return dataDir;
    throw new Error(
      `${dataDir} was made by Postgres ${major} and this is ${binaries.version}: start over with npm run reset.`,
    );
  }
  const draft = join(layout.data, draftName("postgres"));
  const passwordFile = join(layout.conf, draftName("password"));
  writeWhole(passwordFile, `${superuserPassword}\n`, 0o600, layout.account);
  try {
    const args = ["-D", draft, "-U", "postgres", "-A", "scram-sha-256", "--pwfile", passwordFile, "-E", "UTF8"];
    if (fast) args.push("--no-sync");
    const first = await runInitdb(layout, binaries, [...args, "--locale=C.UTF-8"]);
    // C.UTF-8 is not everywhere (older macOS); plain C with UTF-8 sorts the same.
    const second = first === null ? null : await runInitdb(layout, binaries, [...args, "--locale=C"]);
    if (second !== null) throw new Error(`initdb failed: ${second}`);
    renameSync(draft, dataDir);
    return dataDir;
  } finally {
    rmSync(passwordFile, { force: true });
    removeTree(draft, layout.account);
  }
}

/** Null when it went well, else the last lines of what it said. */
function runInitdb(layout: Layout, binaries: PostgresBinaries, args: string[]): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(binaries.initdb, args, {
      ...spawnAs(layout.account),
      cwd: "/",
      env: serverEnv(binaries.env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stdout.resume();
    child.stderr.on("data", (data) => {
      said += data;
    });
    child.once("error", reject);
    child.once("close", (code) => resolve(code === 0 ? null : said.trim().split("\n").slice(-3).join(" ")));
  });
}
