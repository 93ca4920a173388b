import { parseConfig } from "@/lib/config";
import { parseEngineConfig } from "@/lib/config-engine";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";

/** What `npm start` will do, decided from the environment alone. */
export type Plan = {
  /** Both stores are brought along; else both, or one of them, were given. */
  embedded: boolean;
  host: string;
  /** Wished for; the next free one is taken. 0: any. */
  port: number;
  publicOrigin: string | null;
  demo: boolean;
  /** The reference engine is started, on this port (0: any). */
  engine: { port: number } | null;
};
export type Planned = { ok: true; plan: Plan } | { ok: false; reason: string };

type Env = Record<string, string | undefined>;

/** Reads the environment and says what to start, or why not, in one line. Values never show in the line. */
export function planStart(raw: Env): Planned {
  // Empty means unset: shells and compose files like to pass `NAME=`.
  const env = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== ""));
  const embedded = !env.DATABASE_URL && !env.REDIS_URL;
  const engine = wantsEngine(env, embedded);
  const reason =
    refuseAccess(env) ??
    (embedded ? refuseEmbedded(env) : refuseGiven(env)) ??
    refuseEngine(env, engine) ??
    refuseRest(env, engine);
  if (reason) return { ok: false, reason };
  return {
    ok: true,
    plan: {
      embedded,
      host: env.HOST ?? "127.0.0.1",
      port: Number(env.PORT ?? 3000),
      publicOrigin: env.PUBLIC_ORIGIN ?? null,
      // The demo lives in the reference engine.
      demo: embedded && engine && (env.BACKSTOP_DEMO ?? defaultDemo(env)) === "1",
      engine: engine ? { port: Number(env.BACKSTOP_ENGINE_PORT ?? 0) } : null,
    },
  };
}

/** With stores of our own unless another engine is named; on somebody's stores only when asked for by name. */
function wantsEngine(env: Env, embedded: boolean): boolean {
  if (!embedded) return env.BACKSTOP_ENGINE === "1";
  return env.BACKSTOP_ENGINE === "1" || (env.BACKSTOP_ENGINE !== "0" && !env.BACKSTOP_ENGINE_URL);
}

/** A stand-in for a game server with the seed's routes only has no demo. */
function defaultDemo(env: Env): "0" | "1" {
  return env.BACKSTOP_ENGINE_ROUTES === "seed" ? "0" : "1";
}

function refuseAccess(env: Env): string | undefined {
  if (env.AUTH_MODE && env.AUTH_MODE !== "local")
    return "AUTH_MODE can only be local: oidc and proxy are not built yet.";
  if (!env.PUBLIC_ORIGIN) {
    return isLoopbackHost(env.HOST ?? "127.0.0.1")
      ? undefined
      : "HOST lets others than this machine in: set PUBLIC_ORIGIN to the https origin that their browsers see (docs/security.md).";
  }
  const url = URL.canParse(env.PUBLIC_ORIGIN) ? new URL(env.PUBLIC_ORIGIN) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== env.PUBLIC_ORIGIN) {
    return "PUBLIC_ORIGIN must be an origin alone, such as https://desk.example.com.";
  }
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    return "PUBLIC_ORIGIN must be https: sign-in over plain http would show its cookie to the network.";
  }
  return undefined;
}

/** Reached from this machine alone. As an address or as a URL has it. */
const isLoopbackHost = (host: string) => /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host);

function refuseEmbedded(env: Env): string | undefined {
  for (const name of ["BACKSTOP_DATABASE_URL", "BACKSTOP_MIGRATE_URL"]) {
    if (env[name]) return `${name} is set, but neither DATABASE_URL nor REDIS_URL: set one of them, or unset it.`;
  }
  if (env.BACKSTOP_DEMO === "1" && !wantsEngine(env, true)) {
    return "BACKSTOP_DEMO=1 needs the reference engine: unset BACKSTOP_ENGINE and BACKSTOP_ENGINE_URL.";
  }
  return undefined;
}

function refuseGiven(env: Env): string | undefined {
  if (env.BACKSTOP_DEMO === "1") return "BACKSTOP_DEMO=1 works on embedded stores only: it writes game data.";
  if (!env.BACKSTOP_DATABASE_URL) {
    return `BACKSTOP_DATABASE_URL is missing: with ${env.DATABASE_URL ? "DATABASE_URL" : "REDIS_URL"} set, it says where the console keeps its own schema.`;
  }
  if (!env.BACKSTOP_SECRET) return "BACKSTOP_SECRET is missing: at least 24 characters, for keyed hashes.";
  return undefined;
}

function refuseEngine(env: Env, engine: boolean): string | undefined {
  if (!engine || !env.BACKSTOP_ENGINE_URL) {
    if (env.BACKSTOP_ENGINE_URL && !env.BACKSTOP_RPC_KEYS) {
      return "BACKSTOP_RPC_KEYS is missing: the keys that the engine at BACKSTOP_ENGINE_URL knows (id:base64).";
    }
  } else {
    return "BACKSTOP_ENGINE=1 and BACKSTOP_ENGINE_URL contradict each other: start the reference engine, or name another.";
  }
  if (!engine || (!env.DATABASE_URL && !env.REDIS_URL)) return undefined;
  if (!env.BACKSTOP_ENGINE_DATABASE_URL && !env.DATABASE_URL) return "BACKSTOP_ENGINE=1 needs DATABASE_URL.";
  return env.BACKSTOP_RPC_KEYS
    ? undefined
    : "BACKSTOP_RPC_KEYS is missing: console and engine sign with it (id:base64).";
}

/** What remains is judged by the parsers that the children use. */
function refuseRest(env: Env, engine: boolean): string | undefined {
  for (const name of ["PORT", "BACKSTOP_ENGINE_PORT"]) {
    const value = env[name] ?? "0";
    if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) return `${name} must be a port number, or 0 for any.`;
  }
  if (env.BACKSTOP_SECRET && env.BACKSTOP_SECRET.length < 24)
    return "BACKSTOP_SECRET must have at least 24 characters.";
  try {
    parseConfig({ BACKSTOP_DATABASE_URL: "postgres://embedded", BACKSTOP_SECRET: "x".repeat(24), ...env });
    if (env.BACKSTOP_RPC_KEYS) parseRpcKeys(env.BACKSTOP_RPC_KEYS);
    if (engine) parseEngineConfig({ BACKSTOP_ENGINE_DATABASE_URL: "postgres://embedded", ...env, HOST: undefined });
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}
