import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseEngineConfig } from "@/lib/config-engine";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { METRICS_ROUTE } from "./http/metrics";
import { createCounters } from "./persistence-retry/counters";
import { createMetrics } from "./persistence-retry/metrics";
import { type Engine, startEngine } from "./start";
import { insertJob, insertLetter, newCharacter, rewardsJob } from "./testing/maker";

const TOKEN = "a-token-of-this-test-only";

let stores: TestStores;
let pool: pg.Pool;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
});
afterAll(() => stores.close());

async function withEngine(token: string | undefined, body: (url: string) => Promise<void>): Promise<void> {
  const engine: Engine = await startEngine(
    parseEngineConfig({
      BACKSTOP_ENGINE_DATABASE_URL: stores.postgresUrl("engine"),
      BACKSTOP_RPC_KEYS: stores.rpcKeys,
      BACKSTOP_METRICS_TOKEN: token,
      PERSISTENCE_RETRY_POLL_MILLIS: "60000",
    }),
  );
  await body(`http://127.0.0.1:${engine.port}${METRICS_ROUTE}`).finally(() => engine.stop());
}
const read = async (url: string, authorization?: string) => {
  const response = await fetch(url, { headers: authorization ? { authorization } : {} });
  return { status: response.status, text: await response.text(), type: response.headers.get("content-type") };
};
async function untilText(url: string, word: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { text } = await read(url, `Bearer ${TOKEN}`);
    if (text.includes(word)) return text;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the metrics did not come to say ${word}`);
}

test("without a token the route does not exist; with one, only its bearer reads", async () => {
  await withEngine(undefined, async (url) => expect((await read(url, `Bearer ${TOKEN}`)).status).toBe(404));
  await withEngine(TOKEN, async (url) => {
    for (const wrong of [undefined, "Bearer ", `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN]) {
      expect((await read(url, wrong)).status).toBe(401);
    }
    const { status, type } = await read(url, `Bearer ${TOKEN}`);
    expect([status, type?.split(";")[0]]).toEqual([200, "text/plain"]);
  });
});

test("depths, claims, settles by ending, lost leases and poison are told", async () => {
  const person = await newCharacter(pool);
  const gone = randomUUID();
  await pool.query(
    `insert into persistence_retry_jobs
       (retry_job_id, job_kind, character_id, realm_id, payload, next_attempt_at, created_at, updated_at,
        lease_token, lease_owner, lease_expires_at, lost_leases)
     values ($1, 'combat_rewards', $2, 'aurelia', '{}', now(), now(), now(), gen_random_uuid(), 'gone', now(), 2)`,
    [gone, person.characterId],
  );
  await insertJob(pool, rewardsJob(person));
  await insertJob(pool, rewardsJob(person, { zoneId: "nowhere" }));
  await insertJob(pool, rewardsJob(person), "retrying");
  await insertLetter(pool, rewardsJob(person));
  await withEngine(TOKEN, async (url) => {
    await untilText(url, 'ending="failed"');
    const text = await untilText(url, "backstop_persistence_job_dead_letters 2");
    expect(text).toContain('backstop_persistence_retry_claims_total{by="poll"} 1');
    expect(text).toContain('backstop_persistence_retry_claimed_rows_total{by="poll"} 2');
    for (const ending of ["done", "failed", "poison"])
      expect(text).toContain(`backstop_persistence_retry_settles_total{kind="combat_rewards",ending="${ending}"} 1`);
    expect(text).toContain('backstop_persistence_retry_lost_leases_total{kind="combat_rewards"} 1');
    expect(text).toContain("backstop_persistence_retry_store_up 1");
    expect(text).toMatch(/^backstop_persistence_retry_jobs\{state="retrying"\} [12]$/m);
  });
});

test("a store that cannot be read leaves its depths out, says so, and keeps the counters", async () => {
  const away = new pg.Pool({ connectionString: stores.postgresUrl("engine") });
  const counters = createCounters();
  counters.staleSettles.inc({ kind: "combat_rewards" });
  counters.durableOnly.inc({ reason: "queue_full" });
  await away.end();
  const text = await createMetrics(away, counters).read();
  expect(text).toContain("backstop_persistence_retry_store_up 0");
  expect(text).not.toMatch(/^backstop_persistence_retry_jobs\{/m);
  expect(text).toContain('backstop_persistence_retry_stale_settles_total{kind="combat_rewards"} 1');
  expect(text).toContain('backstop_persistence_retry_durable_only_total{reason="queue_full"} 1');
});
