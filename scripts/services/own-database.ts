import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { DATABASE } from "./kept-servers";
import { readSecrets } from "./secrets";
import { defaultStateDir, existingData } from "./state-dir";

/**
 * Where the console's own schema is, for a command that runs beside a desk: `BACKSTOP_DATABASE_URL`, else the embedded
 * Postgres of the state folder, as the role that works in it. Throws one clear line where there is none.
 */
export function ownDatabaseUrl(env: NodeJS.ProcessEnv = process.env): string {
  if (env.BACKSTOP_DATABASE_URL) return env.BACKSTOP_DATABASE_URL;
  const wanted = defaultStateDir(env);
  const port = existsSync(wanted) ? runningPort(realpathSync(wanted)) : null;
  if (port === null) {
    throw new Error(`No Postgres runs in ${wanted}: start Backstop first, or set BACKSTOP_DATABASE_URL.`);
  }
  return `postgresql://backstop_own:${readSecrets(realpathSync(wanted)).postgres.backstop_own}@127.0.0.1:${port}/${DATABASE}`;
}

/** The port that the server of this folder says it listens on; null: none runs, or none that is ready. */
function runningPort(stateDir: string): number | null {
  const file = join(existingData(stateDir), "postgres", "postmaster.pid");
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, "utf8").split("\n");
  return lines[7]?.trim() === "ready" ? Number(lines[3]) : null;
}
