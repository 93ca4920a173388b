import { z } from "zod";
import type { Masking } from "@/lib/domain/masking";
import { maskingOf, parseMaskPaths, parseMaskPatterns } from "./config-mask";

/** Empty means unset: shells and compose files like to pass `NAME=`. */
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

/** The key of an active session, with `<token>` in the place of the token. */
const sessionKey = optional(z.string().max(200).includes("<token>"));

/** Where the session lifecycle journal is: what stands before `:pending`; the hash tag keeps its keys in one slot of a cluster. */
const journalKey = z
  .string()
  .max(200)
  .regex(/^[^{}\s]*\{[^{}\s]+\}[^{}\s]*$/)
  .default("{session_lifecycle}:journal");

const schema = z.object({
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })),
  BACKSTOP_DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })),
  BACKSTOP_MIGRATE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })),
  REDIS_URL: optional(z.url({ protocol: /^rediss?$/ })),
  BACKSTOP_KEY_SESSION_ACTIVE: sessionKey,
  BACKSTOP_KEY_JOURNAL: optional(journalKey),
  BACKSTOP_MASK_PATHS: optional(z.string().refine((text) => parseMaskPaths(text) !== null)),
  BACKSTOP_MASK_PATTERNS: optional(z.string().refine((text) => parseMaskPatterns(text) !== null)),
  BACKSTOP_SECRET: optional(z.string().min(24)),
  BACKSTOP_METRICS_TOKEN: optional(z.string().min(16)),
  BACKSTOP_ENGINE_URL: optional(z.url({ protocol: /^https?$/ })),
  BACKSTOP_RPC_AUDIENCE: z.string().min(1).default("engine.backstop.internal"),
  BACKSTOP_RPC_KEYS: optional(z.string()),
  BACKSTOP_DEMO: optional(z.enum(["0", "1"])),
  BACKSTOP_ENV_NAME: z.string().min(1).max(40).default("local"),
  HOST: z.string().default("127.0.0.1"),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  PUBLIC_ORIGIN: optional(z.url({ protocol: /^https?$/ })),
  READ_ONLY: optional(z.stringbool()),
  STATEMENT_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
});

export type Config = {
  /** The game's Postgres, reading role; null: persistence retry is not configured. */
  databaseUrl: string | null;
  /** Where the console keeps its own schema `backstop`. */
  ownUrl: string;
  migrateUrl: string | null;
  redisUrl: string | null;
  /** Template of the key of an active session; null: sessions are not configured. */
  sessionActiveKey: string | null;
  secret: string;
  metricsToken: string | null;
  engineUrl: string | null;
  rpcAudience: string;
  rpcKeys: string | null;
  demo: boolean;
  /** What the navigation, the sign-in title and confirmations call this installation. */
  envName: string;
  host: string;
  port: number;
  publicOrigin: string | null;
  readOnly: boolean;
  statementTimeoutMs: number;
};

/** Parses an environment. Throws one error that names every variable that is wrong, without its value. */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const parsed = schema.safeParse(env);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))].join(", ");
    throw new Error(`The environment is wrong: ${names}. See docs/configuration.md for what each must be.`);
  }
  const e = parsed.data;
  if (!e.BACKSTOP_DATABASE_URL)
    throw new Error("BACKSTOP_DATABASE_URL is missing: the console keeps its own schema there.");
  if (!e.BACKSTOP_SECRET) throw new Error("BACKSTOP_SECRET is missing: at least 24 characters, for keyed hashes.");
  return {
    databaseUrl: e.DATABASE_URL ?? null,
    ownUrl: e.BACKSTOP_DATABASE_URL,
    migrateUrl: e.BACKSTOP_MIGRATE_URL ?? null,
    redisUrl: e.REDIS_URL ?? null,
    sessionActiveKey: e.BACKSTOP_KEY_SESSION_ACTIVE ?? null,
    secret: e.BACKSTOP_SECRET,
    metricsToken: e.BACKSTOP_METRICS_TOKEN ?? null,
    engineUrl: e.BACKSTOP_ENGINE_URL ?? null,
    rpcAudience: e.BACKSTOP_RPC_AUDIENCE,
    rpcKeys: e.BACKSTOP_RPC_KEYS ?? null,
    demo: e.BACKSTOP_DEMO === "1",
    envName: e.BACKSTOP_ENV_NAME,
    host: e.HOST,
    port: e.PORT,
    publicOrigin: e.PUBLIC_ORIGIN ?? null,
    readOnly: e.READ_ONLY ?? false,
    statementTimeoutMs: e.STATEMENT_TIMEOUT_MS,
  };
}

/** What stands before `:pending` and the other keys of the journal; a process that was given a wrong one has refused to start. */
export function journalKeyPrefix(env: Record<string, string | undefined> = process.env): string {
  return journalKey.parse(env.BACKSTOP_KEY_JOURNAL || undefined);
}

let masking: Masking | undefined;

/** What is never shown unless it is revealed; a process that was given wrong rules has refused to start. */
export function configuredMasking(env: Record<string, string | undefined> = process.env): Masking {
  masking ??= maskingOf(env.BACKSTOP_MASK_PATHS, env.BACKSTOP_MASK_PATTERNS);
  return masking;
}

let cached: Config | undefined;

/** The process's own configuration. Read lazily, so that `next build` runs without an environment. */
export function config(): Config {
  cached ??= parseConfig(process.env);
  return cached;
}
