import { z } from "zod";

/** Empty means unset: shells and compose files like to pass `NAME=`. */
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

const count = (min: number, max: number) => optional(z.coerce.number().int().min(min).max(max));

/** The key of an active session, with `<token>` in the place of the token. */
const sessionKey = optional(z.string().max(200).includes("<token>"));

const schema = z.object({
  BACKSTOP_ENGINE_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  BACKSTOP_ENGINE_REDIS_URL: optional(z.url({ protocol: /^rediss?$/ })),
  BACKSTOP_DEMO_REDIS_URL: optional(z.url({ protocol: /^rediss?$/ })),
  BACKSTOP_KEY_SESSION_ACTIVE: sessionKey,
  BACKSTOP_KEY_SESSION_RESUME: sessionKey,
  BACKSTOP_KEY_PRESENCE: optional(z.string().max(200).includes("<character_id>")),
  BACKSTOP_KEY_JOURNAL: optional(
    z
      .string()
      .max(200)
      // A script may touch the keys of one slot only.
      .regex(/^[^{}\s]*\{[^{}\s]+\}[^{}\s]*$/),
  ),
  BACKSTOP_ENGINE_PORT: z.coerce.number().int().min(0).max(65535).default(0),
  BACKSTOP_ENGINE_ROUTES: z.enum(["seed", "all"]).default("all"),
  BACKSTOP_RPC_AUDIENCE: z.string().min(1).default("engine.backstop.internal"),
  BACKSTOP_RPC_KEYS: optional(z.string()),
  BACKSTOP_METRICS_TOKEN: optional(z.string().min(16)),
  BACKSTOP_SECRET: optional(z.string().min(24)),
  BACKSTOP_DEMO: optional(z.enum(["0", "1"])),
  HOST: z.string().min(1).default("127.0.0.1"),
  PERSISTENCE_RETRY_LIMIT: count(1, 100),
  PERSISTENCE_RETRY_BACKOFF_MILLIS: count(1, 60_000),
  PERSISTENCE_RETRY_BACKOFF_CAP_MILLIS: count(1, 3_600_000),
  PERSISTENCE_RETRY_LEASE_MILLIS: count(500, 600_000),
  PERSISTENCE_RETRY_POLL_MILLIS: count(10, 600_000),
  PERSISTENCE_RETRY_BATCH: count(1, 1_000),
  PERSISTENCE_RETRY_TRANSACTION_MILLIS: count(50, 60_000),
  SESSION_LIFECYCLE_LIMIT: count(1, 100),
  SESSION_LIFECYCLE_INTERVAL_MILLIS: count(10, 600_000),
  SESSION_LIFECYCLE_GONE_MILLIS: count(500, 600_000),
});

/** How the persistence retry worker behaves. All times in ms. */
export type RetrySettings = {
  leaseMs: number;
  /** Between two polls while nothing is due; a full poll is followed at once by the next. */
  pollMs: number;
  batchMax: number;
  /** Failed attempts until the job is a dead letter. */
  attemptsMax: number;
  backoffMs: number;
  backoffCapMs: number;
  /** The longest that one write's transaction may take. */
  transactionTimeoutMs: number;
  /** What must be left of a lease beyond one write for a row to be started. */
  leaseMarginMs: number;
};

/** The session lifecycle journal: where sessions are, and how its worker behaves. All times in ms. */
export type JournalConfig = {
  redisUrl: string;
  /** What stands before `:pending` and its other keys; null: where it usually is. */
  prefix: string | null;
  /** Templates, with `<token>` and `<character_id>` in the places of what they are of. */
  keys: { active: string; resume: string; presence: string };
  /** Failed attempts until an entry is a dead letter. */
  attemptsMax: number;
  /** Between two looks of the worker while nothing wakes it; what failed is taken again from the next on. */
  intervalMs: number;
  /** Without a heartbeat for so long a worker is gone. */
  goneAfterMs: number;
  /** What other writers hold and nobody has touched for so long is brought back. */
  plainUnchangedMs: number;
};

export type EngineConfig = {
  databaseUrl: string;
  redisUrl: string | null;
  /** Template of the key of an active session; null: the engine checks no session. */
  sessionActiveKey: string | null;
  host: string;
  /** 0: any free port. */
  port: number;
  /** `seed`: stand in for a game server that has the seed's routes and tables only. */
  routes: "seed" | "all";
  rpcAudience: string;
  rpcKeys: string | null;
  metricsToken: string | null;
  /** Keys the hash of session tokens; null: none is kept. */
  secret: string | null;
  demo: boolean;
  /** Of a user who may set the memory limit of the demo's Redis; null: that fault cannot be made. */
  demoRedisUrl: string | null;
  retry: RetrySettings;
  /** Null: this engine works no journal, since it was not told of a Redis or of all keys of sessions. */
  journal: JournalConfig | null;
  /** How long the ledger of applied keys reaches back, in days. */
  appliedKeysDays: number;
};

/**
 * A demo shows its first dead letter within a minute: few attempts, and backoffs that can still be watched; and a lease
 * that somebody who looks on sees running out.
 */
const DEMO = { attemptsMax: 4, backoffMs: 1_000, leaseMs: 10_000, transactionTimeoutMs: 4_000, appliedKeysDays: 1 };
const USUAL = { attemptsMax: 8, backoffMs: 250, leaseMs: 30_000, transactionTimeoutMs: 8_000, appliedKeysDays: 90 };

/** Parses an environment. Throws one error that names every variable that is wrong, without its value. */
export function parseEngineConfig(env: Record<string, string | undefined>): EngineConfig {
  const parsed = schema.safeParse(env);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))].join(", ");
    throw new Error(`The engine's environment is wrong: ${names}. See docs/configuration.md for what each must be.`);
  }
  const e = parsed.data;
  const demo = e.BACKSTOP_DEMO === "1";
  if (demo && e.BACKSTOP_ENGINE_ROUTES === "seed")
    throw new Error(
      "BACKSTOP_DEMO=1 and BACKSTOP_ENGINE_ROUTES=seed exclude each other: the seed's routes have no demo.",
    );
  return {
    databaseUrl: e.BACKSTOP_ENGINE_DATABASE_URL,
    redisUrl: e.BACKSTOP_ENGINE_REDIS_URL ?? null,
    sessionActiveKey: e.BACKSTOP_KEY_SESSION_ACTIVE ?? null,
    host: e.HOST,
    port: e.BACKSTOP_ENGINE_PORT,
    routes: e.BACKSTOP_ENGINE_ROUTES,
    rpcAudience: e.BACKSTOP_RPC_AUDIENCE,
    rpcKeys: e.BACKSTOP_RPC_KEYS ?? null,
    metricsToken: e.BACKSTOP_METRICS_TOKEN ?? null,
    secret: e.BACKSTOP_SECRET ?? null,
    demo,
    demoRedisUrl: demo ? (e.BACKSTOP_DEMO_REDIS_URL ?? null) : null,
    retry: retrySettings(e, demo ? DEMO : USUAL),
    journal: journalConfig(e, demo),
    appliedKeysDays: (demo ? DEMO : USUAL).appliedKeysDays,
  };
}

function retrySettings(e: z.output<typeof schema>, usual: typeof USUAL): RetrySettings {
  const leaseMs = e.PERSISTENCE_RETRY_LEASE_MILLIS ?? usual.leaseMs;
  const transactionTimeoutMs = e.PERSISTENCE_RETRY_TRANSACTION_MILLIS ?? usual.transactionTimeoutMs;
  // 2 s of 30: the rest of a lease covers one write, its settle, and what the network takes.
  const leaseMarginMs = Math.min(2_000, Math.floor(leaseMs / 10));
  if (transactionTimeoutMs + leaseMarginMs >= leaseMs)
    throw new Error(
      "PERSISTENCE_RETRY_LEASE_MILLIS must exceed PERSISTENCE_RETRY_TRANSACTION_MILLIS by a tenth or more.",
    );
  return {
    leaseMs,
    pollMs: e.PERSISTENCE_RETRY_POLL_MILLIS ?? 5_000,
    batchMax: e.PERSISTENCE_RETRY_BATCH ?? 128,
    attemptsMax: e.PERSISTENCE_RETRY_LIMIT ?? usual.attemptsMax,
    backoffMs: e.PERSISTENCE_RETRY_BACKOFF_MILLIS ?? usual.backoffMs,
    backoffCapMs: e.PERSISTENCE_RETRY_BACKOFF_CAP_MILLIS ?? 60_000,
    transactionTimeoutMs,
    leaseMarginMs,
  };
}

/** A demo shows a dead cleanup soon, too: fewer attempts, and a shorter interval between them. */
const JOURNAL_DEMO = { attemptsMax: 4, intervalMs: 2_000, goneAfterMs: 10_000 };
const JOURNAL_USUAL = { attemptsMax: 8, intervalMs: 5_000, goneAfterMs: 30_000 };

function journalConfig(e: z.output<typeof schema>, demo: boolean): JournalConfig | null {
  const { BACKSTOP_ENGINE_REDIS_URL: redisUrl, BACKSTOP_KEY_SESSION_ACTIVE: active } = e;
  const { BACKSTOP_KEY_SESSION_RESUME: resume, BACKSTOP_KEY_PRESENCE: presence } = e;
  // A Redis alone does not say that this engine may take what waits there.
  if (!redisUrl || !active || !resume || !presence) return null;
  const usual = demo ? JOURNAL_DEMO : JOURNAL_USUAL;
  return {
    redisUrl,
    prefix: e.BACKSTOP_KEY_JOURNAL ?? null,
    keys: { active, resume, presence },
    attemptsMax: e.SESSION_LIFECYCLE_LIMIT ?? usual.attemptsMax,
    intervalMs: e.SESSION_LIFECYCLE_INTERVAL_MILLIS ?? usual.intervalMs,
    goneAfterMs: e.SESSION_LIFECYCLE_GONE_MILLIS ?? usual.goneAfterMs,
    plainUnchangedMs: 10 * 60_000,
  };
}

let cached: EngineConfig | undefined;

/** The process's own configuration, read lazily. */
export function engineConfig(): EngineConfig {
  cached ??= parseEngineConfig(process.env);
  return cached;
}

/** The failpoints that a test has switched on, as `name=action,name=action`; empty in every other process. */
export function failpointsText(): string {
  return process.env.BACKSTOP_FAILPOINTS ?? "";
}
