import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { transaction } from "@/lib/db/pg";
import { auditRow } from "@/scripts/testing/audit-rows";
import { overlapping } from "@/scripts/testing/forced-race";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { LOCK_AUDIT } from "./append";
import { recordAudit } from "./record";
import { verifyAudit } from "./verify";

const WRITERS = 16;
let stores: TestStores;
let own: Pool;
beforeAll(async () => {
  stores = await openStores();
  own = await stores.warmPool("backstop_own", WRITERS + 2);
});
afterAll(() => stores.close());
afterEach(() => vi.restoreAllMocks());

/** Heads that are logged meanwhile. */
function logged(): { id: string; head: string }[] {
  const heads: { id: string; head: string }[] = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => heads.push(JSON.parse(line)));
  return heads;
}

test("writers of one chain, all held at its end, write one after the other: no place is given twice and none is left out", async () => {
  const { operationId } = auditRow(0);
  const heads = logged();
  const writers = Array.from(
    { length: WRITERS },
    (_, n) => () => recordAudit(own, { ...auditRow(n * 4), operationId }),
  );
  const ended = await overlapping(own, { text: LOCK_AUDIT, values: [] }, writers);
  expect(ended.map(({ status }) => status)).toEqual(writers.map(() => "fulfilled"));
  const { rows } = await own.query("select place from backstop.audit where operation_id = $1 order by audit_id", [
    operationId,
  ]);
  expect(rows.map(({ place }) => place)).toEqual(writers.map((_, n) => n + 1));
  expect(await verifyAudit(own)).toMatchObject({ rows: WRITERS, wrong: 0 });
  expect(heads).toHaveLength(WRITERS);
  expect(new Set(heads.map(({ id }) => id)).size).toBe(WRITERS);
});

test("a row that was undone with its transaction leaves no gap, and no head in the log", async () => {
  const heads = logged();
  const undone = transaction(own, async (client) => {
    await recordAudit(client, auditRow(2));
    await recordAudit(client, auditRow(3));
    throw new Error("changed its mind");
  });
  await expect(undone).rejects.toThrow("changed its mind");
  expect(heads).toEqual([]);
  await transaction(own, async (client) => {
    await recordAudit(client, auditRow(6));
    expect(heads).toEqual([]);
  });
  const { wrong, lastId, head } = await verifyAudit(own);
  expect(wrong).toBe(0);
  expect(heads).toMatchObject([{ event: "audit_head", id: lastId, head }]);
});

test("connections that are in no transaction make no fork", async () => {
  const clients = await Promise.all(Array.from({ length: 8 }, () => own.connect()));
  const ended = await Promise.allSettled(clients.map((client, n) => recordAudit(client, auditRow(n * 4 + 2))));
  for (const client of clients) client.release();
  expect(ended.some(({ status }) => status === "fulfilled")).toBe(true);
  expect(await verifyAudit(own)).toMatchObject({ wrong: 0 });
});

test.each(["audit_heads", "audit_checks"])("the desk's role cannot change or remove a row of %s", async (table) => {
  for (const sql of [
    `delete from backstop.${table}`,
    `truncate backstop.${table}`,
    `update backstop.${table} set head = null`,
  ]) {
    await expect(own.query(sql)).rejects.toMatchObject({ code: "42501" });
  }
});
