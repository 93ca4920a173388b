import { createHmac } from "node:crypto";
import type { Services } from "./index";
import type { Plan } from "./plan";

/** What any program needs to run at all. Everything else is passed by name: a child gets no secret that it has no use for. */
const BASE =
  /^(PATH|HOME|USER|LANG|LC_[A-Z]+|TZ|TMPDIR|CI|NO_COLOR|FORCE_COLOR|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|PGSSL[A-Z]+)$/;
const DESK =
  /^(BACKSTOP_ENV_NAME|BACKSTOP_DIST_DIR|BACKSTOP_KEY_[A-Z_]+|BACKSTOP_MASK_[A-Z]+|PUBLIC_ORIGIN|READ_ONLY|AUTH_MODE|STATEMENT_TIMEOUT_MS)$/;
const ENGINE =
  /^(BACKSTOP_ENGINE_[A-Z_]+|BACKSTOP_DEMO_[A-Z_]+|BACKSTOP_KEY_[A-Z_]+|PERSISTENCE_[A-Z_]+|SESSION_LIFECYCLE_[A-Z_]+)$/;

/** Where the engine keeps sessions in the embedded Redis. A given one is touched only where its keys are named. */
const SESSION_KEYS = {
  BACKSTOP_KEY_SESSION_ACTIVE: "session:active:<token>",
  BACKSTOP_KEY_SESSION_RESUME: "session:resume:<token>",
  BACKSTOP_KEY_PRESENCE: "presence:<character_id>",
};

export type ChildEnvs = { web: NodeJS.ProcessEnv; keeper: NodeJS.ProcessEnv; engine: NodeJS.ProcessEnv };
export type Stores = { ownUrl: string; migrateUrl: string };

/**
 * The environment of each child. The console's two hold no right to write the game's data, the engine none to the
 * console's; only the migration sees the owner of the schema.
 * @param services the embedded ones; undefined where stores were given
 */
export function childEnvs(
  plan: Plan,
  env: NodeJS.ProcessEnv,
  ports: { web: number; engine: number },
  services: Services | undefined,
  dev: boolean,
): ChildEnvs {
  const mode = { NODE_ENV: dev ? "development" : "production", NEXT_TELEMETRY_DISABLED: "1" } as const;
  const secret = env.BACKSTOP_SECRET || services?.secrets.backstopSecret;
  const rpc = {
    BACKSTOP_METRICS_TOKEN: env.BACKSTOP_METRICS_TOKEN || (plan.engine && secret ? metricsToken(secret) : undefined),
    BACKSTOP_RPC_AUDIENCE: env.BACKSTOP_RPC_AUDIENCE || "engine.backstop.internal",
    BACKSTOP_RPC_KEYS: env.BACKSTOP_RPC_KEYS || services?.secrets.rpcKeys,
    BACKSTOP_DEMO: plan.demo ? "1" : "0",
  };
  const desk = {
    ...mode,
    ...picked(env, BASE),
    ...picked(env, DESK),
    ...rpc,
    DATABASE_URL: services ? services.postgres.url("backstop_read") : env.DATABASE_URL,
    BACKSTOP_DATABASE_URL: services ? services.postgres.url("backstop_own") : env.BACKSTOP_DATABASE_URL,
    REDIS_URL: services ? services.redis.url("console") : env.REDIS_URL,
    BACKSTOP_SECRET: secret,
    BACKSTOP_ENGINE_URL: plan.engine ? `http://127.0.0.1:${ports.engine}` : env.BACKSTOP_ENGINE_URL,
    HOST: plan.host,
    PORT: String(ports.web),
  };
  const engine = {
    ...mode,
    ...(services && SESSION_KEYS),
    ...picked(env, BASE),
    ...picked(env, ENGINE),
    ...rpc,
    BACKSTOP_ENGINE_DATABASE_URL: services
      ? services.postgres.url("engine")
      : env.BACKSTOP_ENGINE_DATABASE_URL || env.DATABASE_URL,
    BACKSTOP_ENGINE_REDIS_URL: services ? services.redis.url("engine") : env.BACKSTOP_ENGINE_REDIS_URL || env.REDIS_URL,
    BACKSTOP_DEMO_REDIS_URL: services && plan.demo ? services.redis.url("demo") : env.BACKSTOP_DEMO_REDIS_URL,
    BACKSTOP_ENGINE_PORT: String(ports.engine),
    // For the keyed hash of a session token beside each job: the token itself is in the payload alone.
    BACKSTOP_SECRET: desk.BACKSTOP_SECRET,
  };
  return { web: desk, keeper: desk, engine };
}

/** What the keeper reads the counters of our own engine with, where nobody has set one. */
const metricsToken = (secret: string) => createHmac("sha256", secret).update("engine metrics").digest("hex");

/** Where the console's own schema is, for the migration and the set-up token. */
export function ownStores(env: NodeJS.ProcessEnv, services: Services | undefined): Stores {
  if (services) {
    return { ownUrl: services.postgres.url("backstop_own"), migrateUrl: services.postgres.url("backstop_migrate") };
  }
  const ownUrl = env.BACKSTOP_DATABASE_URL ?? "";
  return { ownUrl, migrateUrl: env.BACKSTOP_MIGRATE_URL || ownUrl };
}

function picked(env: NodeJS.ProcessEnv, names: RegExp): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => value && names.test(name)));
}
