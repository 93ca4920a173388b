import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fingerprint } from "@/lib/domain/fingerprint";
import { type OwnRedis, openOwnRedis } from "@/scripts/testing/own-redis";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { type Cause, isSetAside, VARIANTS } from "./cause";
import { measure, oneForTheirWords } from "./measure";
import { NODE_CAUSES } from "./node-causes";
import { postgresCauses } from "./postgres-causes";
import { SCHEMA, SETUP } from "./postgres-schema";
import { postgresSessionCauses } from "./postgres-session-causes";
import { provoke, type Sample } from "./provoke";
import { redisCauses } from "./redis-causes";
import { redisServerCauses } from "./redis-server-causes";
import { VALUE_CAUSES } from "./value-causes";

let stores: TestStores;
let client: pg.Client;
let redis: OwnRedis;
let causes: Cause[];
let samples: Sample[];

beforeAll(async () => {
  stores = await openStores("bare");
  client = new pg.Client({ connectionString: stores.postgresUrl("postgres"), options: `-c search_path=${SCHEMA}` });
  await client.connect();
  await client.query(SETUP);
  // Files that cannot grow: a write that the disk refuses is among the causes.
  redis = await openOwnRedis([], true);
  causes = [
    ...postgresCauses(client),
    ...postgresSessionCauses({ postgres: stores.postgresUrl("postgres"), engine: stores.postgresUrl("engine") }),
    ...redisCauses(redis.admin),
    ...redisServerCauses(redis),
    ...NODE_CAUSES,
    ...VALUE_CAUSES,
  ];
  samples = await provoke(causes);
});
afterAll(async () => {
  await client?.end();
  await redis?.end();
  await stores?.close();
});

test("at least 60 causes fail for real, each with several variants, and each half has its share of every source", () => {
  expect(new Set(causes.map(({ name }) => name)).size).toBe(causes.length);
  expect(causes.length).toBeGreaterThanOrEqual(60);
  expect(samples).toHaveLength(causes.length * VARIANTS);
  const aside = causes.filter(({ name }) => isSetAside(name)).length;
  expect(Math.min(aside, causes.length - aside)).toBeGreaterThan(causes.length / 3);
});

test.each([
  ["that was set aside before the rules were judged", true],
  ["that the rules were tuned on", false],
])("on the half %s, precision and recall of the fingerprint stay high", (_half, aside) => {
  const { precision, recall, joined, split } = measure(
    oneForTheirWords(samples.filter(({ cause }) => isSetAside(cause) === aside)),
    fingerprint,
  );
  const told = [`precision ${precision}, recall ${recall}`, "joined:", ...joined, "split:", ...split].join("\n  ");
  // On a quiet machine both are above 0.98. Where others use it, a cause may fail for another reason than its own (once
  // of six runs), and each costs a percent or two. The rules before these had 0.883.
  expect(precision, told).toBeGreaterThanOrEqual(0.9);
  expect(recall, told).toBeGreaterThanOrEqual(0.9);
});
