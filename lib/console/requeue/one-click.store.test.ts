import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { migrate } from "@/lib/db/migrate";
import { type Operator, openDesk, type TestDesk } from "@/scripts/testing/desk";
import { type FindingDesk, openFindingDesk, SESSION_KEY } from "@/scripts/testing/finding-desk";
import { makeLetter } from "@/scripts/testing/game";
import { WORK_KINDS } from "@/scripts/testing/kind-bodies";
import { until } from "@/scripts/testing/until";

// On stores that keep what they are told: there a safe letter has no warning at all.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stores: FindingDesk;
let desk: TestDesk;
let maya: Operator;
const pools: pg.Pool[] = [];
beforeAll(async () => {
  stores = await openFindingDesk();
  const { url } = stores.services.postgres;
  await migrate({ migrateUrl: url("backstop_migrate"), ownUrl: url("backstop_own") });
  const pool = (role: Parameters<typeof url>[0], max = 4) => {
    const made = new pg.Pool({ connectionString: url(role), max });
    made.on("error", () => {});
    pools.push(made);
    return made;
  };
  const { redis } = stores.sources;
  desk = openDesk({ pool }, stores.engine, stores.engine.url, { redis, sessionActiveKey: SESSION_KEY });
  maya = await desk.operator("Maya");
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await stores?.end();
});

test.each(WORK_KINDS)("a safe %s letter goes in one click, without a reason, and recovers", async (kind) => {
  const { letterId } = await makeLetter(stores.game, { kind });
  const plan = await desk.plan(letterId, maya);
  expect(plan.findings.map((finding) => finding.severity)).toEqual(plan.findings.map(() => "ok"));
  const ended = await desk.press(plan.operationId, maya, { acknowledged: [], reason: "" });
  expect(ended).toMatchObject({ kind: "sent", view: { answer: "requeued" } });
  await until(async () => {
    const { rows } = await stores.game.query(
      "select outcome from persistence_retry_outcomes where dead_letter_id = $1",
      [letterId],
    );
    return rows[0]?.outcome === "recovered";
  });
  const { rows } = await desk.own.query(
    "select phase, outcome from backstop.audit where operation_id = $1 order by audit_id",
    [plan.operationId],
  );
  expect(rows).toEqual([
    { phase: "intent", outcome: null },
    { phase: "outcome", outcome: "requeued" },
  ]);
});
