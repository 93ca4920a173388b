import { expect, test } from "vitest";
import { parseEngineConfig } from "./config-engine";

const url = { BACKSTOP_ENGINE_DATABASE_URL: "postgresql://engine:secret@127.0.0.1:5432/aether" };

test("the contract's numbers are the defaults, and empty means unset", () => {
  const config = parseEngineConfig({ ...url, PERSISTENCE_RETRY_LIMIT: "", HOST: undefined });
  expect(config.retry).toEqual({
    leaseMs: 30_000,
    pollMs: 5_000,
    batchMax: 128,
    attemptsMax: 8,
    backoffMs: 250,
    backoffCapMs: 60_000,
    transactionTimeoutMs: 8_000,
    leaseMarginMs: 2_000,
  });
  expect(config).toMatchObject({ host: "127.0.0.1", routes: "all", demo: false, appliedKeysDays: 90 });
});

test("the demo dies sooner, unless told otherwise", () => {
  const usual = {
    attemptsMax: 4,
    backoffMs: 1_000,
    leaseMs: 10_000,
    transactionTimeoutMs: 4_000,
    leaseMarginMs: 1_000,
  };
  expect(parseEngineConfig({ ...url, BACKSTOP_DEMO: "1" }).retry).toMatchObject(usual);
  const told = { ...url, BACKSTOP_DEMO: "1", PERSISTENCE_RETRY_LIMIT: "8", PERSISTENCE_RETRY_BACKOFF_MILLIS: "250" };
  expect(parseEngineConfig(told).retry).toMatchObject({ attemptsMax: 8, backoffMs: 250 });
});

test("what is wrong is named, without its value", () => {
  const wrong = { BACKSTOP_ENGINE_DATABASE_URL: "mysql://a:secret@b", PERSISTENCE_RETRY_LIMIT: "many" };
  expect(() => parseEngineConfig(wrong)).toThrow(/BACKSTOP_ENGINE_DATABASE_URL, PERSISTENCE_RETRY_LIMIT/);
  expect(() => parseEngineConfig(wrong)).not.toThrow(/secret|many/);
  expect(() => parseEngineConfig({ ...url, PERSISTENCE_RETRY_LEASE_MILLIS: "8000" })).toThrow("must exceed");
  expect(() => parseEngineConfig({ ...url, BACKSTOP_DEMO: "1", BACKSTOP_ENGINE_ROUTES: "seed" })).toThrow("exclude");
});
