import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool, PoolClient } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { knownMigrations, migrate, runMigrations } from "@/lib/db/migrate";
import { auditRow } from "@/scripts/testing/audit-rows";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { recordAudit } from "./record";
import { verifyAudit } from "./verify";

const MIGRATIONS = "lib/db/migrations/backstop";
const OLD = 40;
let stores: TestStores;
let owner: Pool;
let own: Pool;

/** As a version of before wrote them: no chain, and a number that was given and undone. */
const INSERT = `insert into backstop.audit (phase, action, actor_id, actor_name, actor_role, address, operation_id, target,
  plan_hash, reason, acknowledged, outcome, detail, request_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;
const valuesOf = (n: number) => {
  const row = auditRow(n);
  return [
    ...[
      row.phase,
      row.action,
      row.actor.id,
      row.actor.name,
      row.actor.role,
      row.address ?? null,
      row.operationId ?? null,
    ],
    ...[
      JSON.stringify(row.target),
      row.planHash ?? null,
      row.reason ?? null,
      row.acknowledged ?? [],
      row.outcome ?? null,
    ],
    ...[row.detail ? JSON.stringify(row.detail) : null, row.requestId ?? null],
  ];
};

beforeAll(async () => {
  stores = await openStores("bare");
  owner = stores.pool("backstop_migrate");
  own = stores.pool("backstop_own");
  const dir = mkdtempSync(join(tmpdir(), "backstop-old-"));
  const before = knownMigrations(MIGRATIONS).filter((name) => name < "0005");
  for (const name of before) cpSync(join(MIGRATIONS, `${name}.sql`), join(dir, `${name}.sql`));
  const url = stores.postgresUrl("backstop_migrate");
  await runMigrations({ dir, schema: "backstop", table: "migrations", url });
  rmSync(dir, { recursive: true });
  for (let n = 0; n < OLD; n += 1) await owner.query(INSERT, valuesOf(n));
  await owner.query("delete from backstop.audit where audit_id = 7");
  await migrate({ migrateUrl: url, ownUrl: stores.postgresUrl("backstop_own") });
  for (let n = 0; n < 6; n += 1) await recordAudit(own, auditRow(n));
});
afterAll(() => stores.close());

async function found(harm: (client: PoolClient) => Promise<unknown>) {
  const client = await owner.connect();
  try {
    await client.query("begin; alter table backstop.audit drop constraint audit_chained");
    await harm(client);
    return (await verifyAudit(client)).findings.map(({ kind, id }) => `${kind} ${id}`);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

test("an audit of before the chain stays as it is, and one row vouches for all of it", async () => {
  const { rows } = await own.query("select * from backstop.audit where chain is null order by audit_id");
  expect(rows).toHaveLength(OLD - 1);
  expect(rows[0]).toMatchObject({
    audit_id: "1",
    action: "requeue",
    reason: "The zone is back.",
    place: null,
    hash: null,
  });
  expect(await verifyAudit(own)).toMatchObject({ rows: OLD + 6, lastId: String(OLD + 7), wrong: 0, findings: [] });
  const first = await own.query(
    "select audit_id, action, detail -> 'rows' as rows from backstop.audit where place = 1 order by audit_id limit 1",
  );
  expect(first.rows).toEqual([{ audit_id: String(OLD + 1), action: "audit_checkpoint", rows: OLD - 1 }]);
});

test("what is done to rows of before the chain is found: an edit, a removal, a swap, an addition", async () => {
  const set = (sql: string) => found((client) => client.query(sql));
  expect(await set("update backstop.audit set reason = 'x' where audit_id = 1")).toEqual([`edited ${OLD}`]);
  expect(await set("delete from backstop.audit where audit_id = 3")).toEqual([`removed ${OLD}`]);
  expect(await set(`delete from backstop.audit where audit_id <= ${OLD}`)).toEqual([`removed ${OLD + 1}`]);
  expect(await set("update backstop.audit set audit_id = 7 where audit_id = 2")).toEqual([`edited ${OLD}`]);
  const add = await found((client) =>
    client.query(INSERT.replace("(phase", "(audit_id, phase").replace("($1", "(7, $1"), valuesOf(1)),
  );
  expect(add).toEqual([`added ${OLD}`]);
  const chained = await set(`update backstop.audit set reason = 'x' where audit_id = ${OLD + 3}`);
  expect(chained).toEqual([`edited ${OLD + 3}`]);
});

test("a program of before that still runs cannot write past the chain", async () => {
  await expect(own.query(INSERT, valuesOf(1))).rejects.toMatchObject({ code: "23502" });
  const numbered = INSERT.replace("(phase", "(audit_id, phase").replace("($1", "(1000, $1");
  await expect(own.query(numbered, valuesOf(1))).rejects.toMatchObject({ code: "23514" });
});
