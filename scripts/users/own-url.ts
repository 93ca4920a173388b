import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { DATABASE } from "@/scripts/services/kept-servers";
import { readSecrets } from "@/scripts/services/secrets";
import { defaultStateDir, existingData } from "@/scripts/services/state-dir";

export type OwnUrl = { kind: "found"; url: string } | { kind: "missing"; why: string };

/** Where the console's own schema is: as given, else in the embedded Postgres of the state folder, while it runs. */
export function ownUrlOf(env: NodeJS.ProcessEnv): OwnUrl {
  if (env.BACKSTOP_DATABASE_URL) return { kind: "found", url: env.BACKSTOP_DATABASE_URL };
  if (env.DATABASE_URL || env.REDIS_URL)
    return {
      kind: "missing",
      why: "BACKSTOP_DATABASE_URL is missing: it says where the console keeps its own schema.",
    };
  const wanted = defaultStateDir(env);
  const stateDir = existsSync(wanted) ? realpathSync(wanted) : wanted;
  const pidFile = join(existingData(stateDir), "postgres", "postmaster.pid");
  // Its fourth line is the port that it listens on now.
  const port = existsSync(pidFile) ? readFileSync(pidFile, "utf8").split("\n")[3]?.trim() : undefined;
  if (!port) return { kind: "missing", why: `Backstop does not run from ${stateDir}. Start it first: npm start` };
  const password = readSecrets(stateDir).postgres.backstop_own;
  return { kind: "found", url: `postgresql://backstop_own:${password}@127.0.0.1:${port}/${DATABASE}` };
}
