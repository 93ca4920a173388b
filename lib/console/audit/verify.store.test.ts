import type { Pool, PoolClient } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuditCheck } from "@/lib/domain/audit-check";
import { fillAudit } from "@/scripts/testing/audit-rows";
import { bulkAudit } from "@/scripts/testing/bulk-audit";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { type AuditContent, headHash, rowHash } from "./chain";
import { readChain } from "./read-chain";
import { verifyAudit } from "./verify";

const ROWS = 10_000;
let stores: TestStores;
let own: Pool;
let owner: Pool;
let whole: AuditCheck;
beforeAll(async () => {
  stores = await openStores();
  own = stores.pool("backstop_own");
  owner = stores.pool("backstop_migrate");
  await bulkAudit(own, ROWS - 100);
  await fillAudit(own, 100, ROWS - 100);
  await owner.query("analyze backstop.audit, backstop.audit_heads");
  whole = await verifyAudit(own);
});
afterAll(() => stores.close());

/** What is found after somebody with every right has done something; it is undone again. */
async function found(harm: (client: PoolClient) => Promise<unknown>, known: Parameters<typeof verifyAudit>[1] = []) {
  const client = await owner.connect();
  try {
    await client.query(
      "begin; alter table backstop.audit drop constraint audit_chained, drop constraint audit_phase_check",
    );
    await harm(client);
    const { findings, wrong } = await verifyAudit(client, known);
    expect(wrong).toBe(findings.length);
    return findings;
  } finally {
    await client.query("rollback");
    client.release();
  }
}
const named = (findings: { kind: string; id: string }[]) => findings.map(({ kind, id }) => `${kind} ${id}`);
const run =
  (...statements: string[]) =>
  (client: PoolClient) =>
    client.query(statements.join("; "));
/** An intent of an operation of two rows, with a reason and two codes; its outcome is the next. So is each eighth row. */
const ROW = 5_001;

test("an audit of 10,000 rows is as it was written", () => {
  expect(whole).toMatchObject({ rows: ROWS, lastId: String(ROWS), wrong: 0, findings: [] });
});

const EDITS: Record<string, (column: string) => string> = {
  bigint: (column) => `${column} + 5000000`,
  integer: (column) => `${column} + 100000`,
  text: (column) => `case when ${column} is null then '' else '~' || substr(${column}, 2) end`,
  uuid: () => "gen_random_uuid()",
  jsonb: (column) => `coalesce(${column}, '{}') || '{"x": 1}'`,
  "timestamp with time zone": (column) => `${column} + interval '1 microsecond'`,
  ARRAY: (column) => `${column} || array['x']`,
  bytea: (column) => `set_byte(${column}, 31, get_byte(${column}, 31) # 1)`,
};

test("each edit of any field of a row, or of a head, is found, and the row is named", async () => {
  const { rows } = await owner.query(
    `select table_name as of, column_name as name, data_type as type from information_schema.columns
      where table_schema = 'backstop' and table_name in ('audit', 'audit_heads') order by 1, ordinal_position`,
  );
  expect(rows).toHaveLength(26);
  const expected: string[] = [];
  const edits = rows.map(({ of, name, type }, at) => {
    const id = ROW + at * 8;
    if (name === "audit_id") expected.push(`edited ${id + 5_000_000}`);
    // Its head has another number now.
    if (name !== "audit_id") expected.push(`edited ${id}`);
    else if (of === "audit_heads") expected.push(`added ${id}`);
    return `update backstop.${of} set ${name} = ${EDITS[type]?.(name)} where audit_id = ${id}`;
  });
  const told = await found(run(...edits));
  expect(named(told).sort()).toEqual(expected.sort());
  const renumbered = told.find(({ id }) => id === String(ROW + 5_000_000));
  expect(renumbered?.sentence).toContain(`holds what was written as row ${ROW}`);
});

test("a byte that goes to the next field, nothing and an empty text, two codes and one: each is another thing", async () => {
  const sets = [
    "actor_name = actor_name || left(actor_role, 1), actor_role = substr(actor_role, 2)",
    "outcome = ''",
    "acknowledged = array['row_changed,no', 'facts']",
    `detail = '{}'`,
  ];
  const edits = sets.map((set, at) => `update backstop.audit set ${set} where audit_id = ${ROW + at * 8}`);
  const empty = ROW + 4;
  const told = await found(run(...edits, `update backstop.audit set reason = null where audit_id = ${empty}`));
  const ids = [ROW, empty, ROW + 8, ROW + 16, ROW + 24];
  expect(named(told)).toEqual(ids.map((id) => `edited ${id}`));
});

test("a row that is taken out is named, with its head or without; so is one that another hand put in", async () => {
  const columns = `${CONTENT}, chain, previous, hash`;
  const told = await found(
    run(
      "delete from backstop.audit where audit_id in (1, 101, 201)",
      "delete from backstop.audit_heads where audit_id in (1, 201, 301)",
      `insert into backstop.audit (audit_id, place, ${columns})
        select ${ROWS + 1}, 1000000, ${columns} from backstop.audit where audit_id = ${ROW}`,
    ),
  );
  expect(named(told)).toEqual(["removed 1", "removed 101", "removed 201", "added 301", `added ${ROWS + 1}`]);
});

const CONTENT = `at, phase, action, actor_id, actor_name, actor_role, address, operation_id, target, plan_hash, reason,
  acknowledged, outcome, detail, request_id`;

test("rows that have changed places are named, whatever was exchanged", async () => {
  // A row with another of another chain: their numbers; and two others, all that they say.
  const [one, other] = [ROW, ROW + 1_002];
  const [two, another] = [ROW + 8, ROW + 1_010];
  const numbers = [
    `update backstop.audit set audit_id = -1 where audit_id = ${one}`,
    `update backstop.audit set audit_id = ${one} where audit_id = ${other}`,
    `update backstop.audit set audit_id = ${other} where audit_id = -1`,
  ];
  const says = `with both_rows as (select audit_id, ${CONTENT} from backstop.audit where audit_id in (${two}, ${another}))
    update backstop.audit a set (${CONTENT}) = (select ${CONTENT} from both_rows b where b.audit_id <> a.audit_id)
    where a.audit_id in (${two}, ${another})`;
  // And the places of two rows of one chain.
  const third = ROW + 16;
  const places = [
    `update backstop.audit set place = -1 where audit_id = ${third}`,
    `update backstop.audit set place = 1 where audit_id = ${third + 1}`,
    `update backstop.audit set place = 2 where audit_id = ${third}`,
  ];
  const told = await found(run(...numbers, says, ...places));
  const kinds = new Map(told.map(({ id, kind }) => [Number(id), kind]));
  expect([one, other, two, another].map((id) => kinds.get(id))).toEqual(["swapped", "swapped", "swapped", "swapped"]);
  expect([third, third + 1].map((id) => kinds.get(id))).toEqual(["edited", "edited"]);
  expect(told).toHaveLength(6);
  expect(told.map(({ sentence }) => sentence)).toContain(`Row ${third} was changed: its place.`);
});

test("a chain that is cut off, and an audit that is cut off, are named row by row", async () => {
  const told = await found(run(`delete from backstop.audit where audit_id = ${ROW + 1} or audit_id > ${ROWS - 3}`));
  expect(named(told)).toEqual([ROW + 1, ROWS - 2, ROWS - 1, ROWS].map((id) => `truncated ${id}`));
});

test("an audit that is cut off with its heads is whole by itself, and told by the log", async () => {
  const cut = run(
    `delete from backstop.audit where audit_id > ${ROWS - 3}`,
    `delete from backstop.audit_heads where audit_id > ${ROWS - 3}`,
  );
  expect(await found(cut)).toEqual([]);
  const sentence = `Row ${ROWS} was there for the log, and the audit ends at row ${ROWS - 3}.`;
  expect(await found(cut, log())).toEqual([{ kind: "truncated", id: String(ROWS), sentence }]);
});
const log = () => [{ id: String(ROWS), head: whole.head ?? "", from: "the log" }];

/** Somebody who knows how the chain is made: writes a row anew, with its hash and its head. */
async function forge(client: PoolClient, id: number): Promise<void> {
  for await (const [line] of readChain(client, String(id), String(id - 1))) {
    if (!line?.row?.link || !line.head) throw new Error("no such row");
    const content: AuditContent = { ...line.row.content, reason: "another" };
    const hash = rowHash(content, line.row.link);
    const head = headHash({ ...line.head, hash });
    await client.query(`update backstop.audit set reason = 'another', hash = decode('${hash}', 'hex') where audit_id = ${id};
      update backstop.audit_heads set hash = decode('${hash}', 'hex'), head = decode('${head}', 'hex') where audit_id = ${id}`);
  }
}

test("a row that is written anew with its hash and its head does not fit what came after it", async () => {
  const told = await found((client) => forge(client, ROW));
  expect(named(told)).toEqual([`edited ${ROW + 1}`]);
  expect(told[0]?.sentence).toContain(`rows ${ROW} and ${ROW + 1} do not follow each other`);
});

test("the newest row written anew, with nothing after it, is told by the log alone", async () => {
  expect(await found((client) => forge(client, ROWS))).toEqual([]);
  expect(named(await found((client) => forge(client, ROWS), log()))).toEqual([`edited ${ROWS}`]);
});
