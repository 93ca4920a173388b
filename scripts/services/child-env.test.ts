import { expect, test } from "vitest";
import { childEnvs, ownStores } from "./child-env";
import type { Services } from "./index";
import { planStart } from "./plan";

const env = {
  NODE_ENV: "test",
  PATH: "/bin",
  AWS_SECRET_ACCESS_KEY: "not for children",
  BACKSTOP_METRICS_TOKEN: "metrics-metrics-metrics",
  PERSISTENCE_RETRY_LIMIT: "3",
} as const;

const services = {
  postgres: { url: (role: string) => `postgres://${role}/aether` },
  redis: { url: (user: string) => `redis://${user}/0` },
  secrets: { backstopSecret: "secret", rpcKeys: "k1:key" },
} as unknown as Services;

function envs(raw: NodeJS.ProcessEnv, embedded?: Services) {
  const planned = planStart(raw);
  if (!planned.ok) throw new Error(planned.reason);
  return childEnvs(planned.plan, raw, { web: 3001, engine: 4001 }, embedded, false);
}

test("each child gets what it needs and nothing else", () => {
  const { web, keeper, engine } = envs(env, services);
  expect(web).toEqual(keeper);
  expect(web).toMatchObject({
    DATABASE_URL: "postgres://backstop_read/aether",
    BACKSTOP_DATABASE_URL: "postgres://backstop_own/aether",
    REDIS_URL: "redis://console/0",
    BACKSTOP_SECRET: "secret",
    BACKSTOP_ENGINE_URL: "http://127.0.0.1:4001",
    BACKSTOP_RPC_AUDIENCE: "engine.backstop.internal",
    BACKSTOP_RPC_KEYS: "k1:key",
    BACKSTOP_DEMO: "1",
    HOST: "127.0.0.1",
    PORT: "3001",
    NODE_ENV: "production",
  });
  expect(engine).toMatchObject({
    BACKSTOP_ENGINE_DATABASE_URL: "postgres://engine/aether",
    BACKSTOP_ENGINE_REDIS_URL: "redis://engine/0",
    BACKSTOP_ENGINE_PORT: "4001",
    PERSISTENCE_RETRY_LIMIT: "3",
  });
  for (const name of ["DATABASE_URL", "BACKSTOP_DATABASE_URL", "REDIS_URL", "HOST"])
    expect(engine).not.toHaveProperty(name);
  expect(web).not.toHaveProperty("PERSISTENCE_RETRY_LIMIT");
  expect(JSON.stringify([web, engine])).not.toMatch(/not for children|migrate|postgres:\/\/postgres|admin/);
  expect(ownStores(env, services).migrateUrl).toBe("postgres://backstop_migrate/aether");
});

test("the keeper can read the counters of an engine that is started beside it, without a setting", () => {
  const { keeper, engine } = envs({ ...env, BACKSTOP_METRICS_TOKEN: undefined }, services);
  expect(keeper.BACKSTOP_METRICS_TOKEN).toMatch(/^[\da-f]{64}$/);
  expect(engine.BACKSTOP_METRICS_TOKEN).toBe(keeper.BACKSTOP_METRICS_TOKEN);
  expect(envs(env, services).engine.BACKSTOP_METRICS_TOKEN).toBe(env.BACKSTOP_METRICS_TOKEN);
  const elsewhere = {
    ...env,
    BACKSTOP_METRICS_TOKEN: undefined,
    BACKSTOP_ENGINE_URL: "https://game.internal",
    BACKSTOP_RPC_KEYS: "k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
  };
  expect(envs(elsewhere, services).keeper.BACKSTOP_METRICS_TOKEN).toBeUndefined();
});

test("given stores pass through; the owner's URL is for the migration alone", () => {
  const given = {
    ...env,
    DATABASE_URL: "postgres://game/x",
    BACKSTOP_DATABASE_URL: "postgres://own/x",
    BACKSTOP_MIGRATE_URL: "postgres://owner/x",
    BACKSTOP_SECRET: "0123456789abcdef0123456789abcdef",
  };
  const { web } = envs(given);
  expect(web).toMatchObject({ DATABASE_URL: "postgres://game/x", BACKSTOP_DEMO: "0" });
  expect(web.REDIS_URL).toBeUndefined();
  expect(JSON.stringify(web)).not.toContain("owner");
  expect(ownStores(given, undefined)).toEqual({ ownUrl: "postgres://own/x", migrateUrl: "postgres://owner/x" });
});
