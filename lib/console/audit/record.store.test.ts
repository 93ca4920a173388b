import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { Who } from "@/lib/auth/role";
import { runAction } from "@/lib/auth/run-action";
import { type AuditRow, recordAudit, SYSTEM } from "@/lib/console/audit/record";
import { transaction } from "@/lib/db/pg";
import { openStores, type TestStores } from "@/scripts/testing/stores";

let stores: TestStores;
let pool: pg.Pool;
const FULL: AuditRow = {
  phase: "intent",
  action: "requeue",
  actor: { id: "u-1", name: "Maya", role: "operator" },
  target: { letterId: "l-1" },
  address: "loopback",
  operationId: "0197a6c2-7f5e-7c41-9a53-2f4f6f1f0b11",
  planHash: "abc",
  reason: "The zone is back.",
  acknowledged: ["row_changed", "no_facts"],
  outcome: null,
  detail: { findings: 2 },
  requestId: "r-1",
};

beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("backstop_own");
});
afterAll(() => stores.close());

test("a row is kept as it was given, with the database's time", async () => {
  await recordAudit(pool, FULL);
  await recordAudit(pool, { phase: "outcome", action: "break_catalog", actor: SYSTEM, target: {}, outcome: "broken" });
  const { rows } = await pool.query("select * from backstop.audit order by audit_id");
  expect(rows[0]).toMatchObject({
    phase: "intent",
    actor_id: "u-1",
    target: { letterId: "l-1" },
    operation_id: FULL.operationId,
    acknowledged: ["row_changed", "no_facts"],
    detail: { findings: 2 },
    at: expect.any(Date),
  });
  expect(rows[1]).toMatchObject({ actor_id: "system", acknowledged: [], reason: null, detail: null });
});

test.each([
  "update backstop.audit set reason = 'another'",
  "delete from backstop.audit",
  "truncate backstop.audit",
  "drop table backstop.audit",
  "alter table backstop.audit disable trigger all",
  "create or replace rule forget as on insert to backstop.audit do instead nothing",
])("the desk's role is refused by the server: %s", async (sql) => {
  await recordAudit(pool, FULL);
  const before = (await pool.query("select * from backstop.audit order by audit_id")).rows;
  await expect(pool.query(sql)).rejects.toMatchObject({ code: "42501" });
  expect((await pool.query("select * from backstop.audit order by audit_id")).rows).toEqual(before);
});

test("a row stands or falls with the transaction that it tells of", async () => {
  const undone = transaction(pool, async (client) => {
    await recordAudit(client, { ...FULL, action: "undone" });
    throw new Error("changed its mind");
  });
  await expect(undone).rejects.toThrow("changed its mind");
  expect((await pool.query("select 1 from backstop.audit where action = 'undone'")).rowCount).toBe(0);
});

test("a viewer's try at an operator's action is refused and written down", async () => {
  const viewer: Who = {
    userId: "u-2",
    username: "vic",
    displayName: "Vic",
    role: "viewer",
    reveal: false,
    queues: null,
  };
  const context = {
    requestId: "r-9",
    origin: "accepted" as const,
    address: "loopback",
    who: async () => viewer,
    audit: (row: AuditRow) => recordAudit(pool, row),
    log: () => {},
  };
  const body = async () => Promise.reject(new Error("must not run"));
  const result = await runAction(
    context,
    { name: "mend_catalog", role: "operator", input: z.undefined(), body },
    undefined,
  );
  expect(result.kind).toBe("forbidden");
  const { rows } = await pool.query(
    "select phase, actor_id, actor_role, outcome from backstop.audit where request_id = 'r-9'",
  );
  expect(rows).toEqual([{ phase: "refusal", actor_id: "u-2", actor_role: "viewer", outcome: "needs_operator" }]);
});
