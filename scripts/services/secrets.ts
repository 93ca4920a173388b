import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ensureFolder, writeWhole } from "./files";

const Secrets = z.object({
  /** Keys the console's hashes. */
  backstopSecret: z.string().min(24),
  /** `k1:<base64 of 32 bytes>`: what console and engine sign with. */
  rpcKeys: z.string().min(24),
  postgres: z.object({
    postgres: z.string(),
    backstop_migrate: z.string(),
    backstop_own: z.string(),
    backstop_read: z.string(),
    engine: z.string(),
  }),
  redis: z.object({ admin: z.string(), console: z.string(), engine: z.string() }),
});
export type Secrets = z.infer<typeof Secrets>;

/** The secrets of a state folder, made at the first start. Only the starter can read the file. */
export function readSecrets(stateDir: string): Secrets {
  const file = join(ensureFolder(join(stateDir, "secrets"), 0o700), "secrets.json");
  if (!existsSync(file)) writeWhole(file, `${JSON.stringify(makeSecrets(), null, 2)}\n`, 0o600);
  const parsed = Secrets.safeParse(parseJson(readFileSync(file, "utf8")));
  if (!parsed.success)
    throw new Error(`${file} is damaged: put it back from a copy, or start over with: npm run reset`);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function makeSecrets(): Secrets {
  // Hex: safe in a URL, in SQL quotes and in a Redis config line alike.
  const password = () => randomBytes(24).toString("hex");
  return {
    backstopSecret: randomBytes(32).toString("base64url"),
    rpcKeys: `k1:${randomBytes(32).toString("base64")}`,
    postgres: {
      postgres: password(),
      backstop_migrate: password(),
      backstop_own: password(),
      backstop_read: password(),
      engine: password(),
    },
    redis: { admin: password(), console: password(), engine: password() },
  };
}
