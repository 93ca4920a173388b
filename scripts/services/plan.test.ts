import { expect, test } from "vitest";
import { planStart } from "./plan";

const SECRET = "0123456789abcdef0123456789abcdef";
const KEYS = "k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
/** The key of the signing example in docs/your-system.md. */
const DOCUMENTED = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const GIVEN = { DATABASE_URL: "postgres://game/x", BACKSTOP_DATABASE_URL: "postgres://own/x", BACKSTOP_SECRET: SECRET };

const plan = (env: Record<string, string>) => {
  const planned = planStart(env);
  if (!planned.ok) throw new Error(planned.reason);
  return planned.plan;
};
const reason = (env: Record<string, string>) => {
  const planned = planStart(env);
  return planned.ok ? "started" : planned.reason;
};

test("nothing configured: own stores, the engine and the demo", () => {
  const expected = { embedded: true, host: "127.0.0.1", port: 3000, demo: true, engine: { port: 0 } };
  expect(plan({})).toMatchObject(expected);
  expect(plan({ DATABASE_URL: "", REDIS_URL: "" })).toMatchObject(expected);
  expect(plan({ BACKSTOP_DEMO: "0", PORT: "0", BACKSTOP_ENGINE_PORT: "4000" })).toMatchObject({
    demo: false,
    port: 0,
    engine: { port: 4000 },
  });
});

test("an engine with the seed's routes only has no demo", () => {
  expect(plan({ BACKSTOP_ENGINE_ROUTES: "seed" })).toMatchObject({ demo: false, engine: { port: 0 } });
});

test("own stores and somebody's engine: ours does not start, and there is no demo", () => {
  const env = { BACKSTOP_ENGINE_URL: "http://127.0.0.1:9000", BACKSTOP_RPC_KEYS: KEYS };
  expect(plan(env)).toMatchObject({ embedded: true, engine: null, demo: false });
  expect(reason({ BACKSTOP_ENGINE_URL: "http://127.0.0.1:9000" })).toMatch(/^BACKSTOP_RPC_KEYS is missing/);
});

test("given stores: nothing embedded, no demo, and no engine unless asked for by name", () => {
  expect(plan(GIVEN)).toMatchObject({ embedded: false, engine: null, demo: false });
  expect(plan({ ...GIVEN, BACKSTOP_ENGINE: "1", BACKSTOP_RPC_KEYS: KEYS })).toMatchObject({
    engine: { port: 0 },
    demo: false,
  });
  const { DATABASE_URL: _, ...redisOnly } = { ...GIVEN, REDIS_URL: "redis://game" };
  expect(plan(redisOnly)).toMatchObject({ embedded: false, engine: null });
});

test.each<[string, Record<string, string>, RegExp]>([
  ["the console has nowhere to write", { DATABASE_URL: "postgres://x" }, /^BACKSTOP_DATABASE_URL is missing/],
  ["the same, Redis only", { REDIS_URL: "redis://x" }, /^BACKSTOP_DATABASE_URL is missing/],
  ["own schema without a game", { BACKSTOP_DATABASE_URL: "postgres://x" }, /^BACKSTOP_DATABASE_URL is set, but/],
  ["no secret", { ...GIVEN, BACKSTOP_SECRET: "" }, /^BACKSTOP_SECRET is missing/],
  ["a short secret", { ...GIVEN, BACKSTOP_SECRET: "short" }, /at least 24/],
  ["a short secret, own stores", { BACKSTOP_SECRET: "short" }, /at least 24/],
  ["the demo on given stores", { ...GIVEN, BACKSTOP_DEMO: "1" }, /^BACKSTOP_DEMO=1 works on embedded stores only/],
  ["the demo without its engine", { BACKSTOP_ENGINE: "0", BACKSTOP_DEMO: "1" }, /needs the reference engine/],
  ["an engine without keys", { ...GIVEN, BACKSTOP_ENGINE: "1" }, /^BACKSTOP_RPC_KEYS is missing/],
  ["a key that is too short", { ...GIVEN, BACKSTOP_RPC_KEYS: "k1:c2hvcnQ=" }, /^BACKSTOP_RPC_KEYS: key 1 is shorter/],
  ["a key out of a document", { BACKSTOP_RPC_KEYS: `k1:${DOCUMENTED}` }, /^BACKSTOP_RPC_KEYS: key 1 is a sample value/],
  ["two engines", { BACKSTOP_ENGINE: "1", BACKSTOP_ENGINE_URL: "http://x", BACKSTOP_RPC_KEYS: KEYS }, /contradict/],
  ["sign-in that is not built", { AUTH_MODE: "oidc" }, /^AUTH_MODE can only be local/],
  ["the network let in over plain http", { HOST: "0.0.0.0" }, /^HOST lets others .* set PUBLIC_ORIGIN/],
  ["the same by name", { HOST: "desk.internal" }, /^HOST lets others/],
  ["plain http to the world", { PUBLIC_ORIGIN: "http://desk.example.com" }, /must be https/],
  ["an origin with a path", { PUBLIC_ORIGIN: "https://desk.example.com/x" }, /origin alone/],
  ["a port that is none", { PORT: "http" }, /^PORT must be/],
  ["something the engine would refuse", { PERSISTENCE_RETRY_LIMIT: "many" }, /PERSISTENCE_RETRY_LIMIT/],
  ["the demo with the seed's routes", { BACKSTOP_ENGINE_ROUTES: "seed", BACKSTOP_DEMO: "1" }, /exclude each other/],
  ["something the children would refuse", { STATEMENT_TIMEOUT_MS: "soon" }, /STATEMENT_TIMEOUT_MS/],
])("refused in one line: %s", (_case, env, line) => {
  expect(reason(env)).toMatch(line);
  expect(reason(env)).not.toContain("\n");
});

test("loopback may be plain http; local sign-in may be named", () => {
  expect(reason({ PUBLIC_ORIGIN: "http://localhost:3000", AUTH_MODE: "local" })).toBe("started");
  expect(reason({ PUBLIC_ORIGIN: "https://desk.example.com" })).toBe("started");
  expect(reason({ PUBLIC_ORIGIN: "https://desk.example.com", HOST: "0.0.0.0" })).toBe("started");
  // A container's own address, published to its machine alone.
  expect(reason({ PUBLIC_ORIGIN: "http://localhost:3000", HOST: "0.0.0.0" })).toBe("started");
  for (const HOST of ["localhost", "127.0.0.2", "::1"]) expect(reason({ HOST })).toBe("started");
});
