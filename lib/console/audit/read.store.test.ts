import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuditFilter } from "@/lib/domain/audit-entry";
import { markUnseen } from "@/lib/domain/unseen";
import { fillAudit } from "@/scripts/testing/audit-rows";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { readAuditChoices } from "./choices";
import { exportAudit } from "./export";
import { findAuditEntry } from "./find-entry";
import { listAudit } from "./list";
import { recordAudit } from "./record";

const ROWS = 450;
let stores: TestStores;
let own: Pool;
beforeAll(async () => {
  stores = await openStores();
  own = stores.pool("backstop_own");
  await fillAudit(own, ROWS);
});
afterAll(() => stores.close());

async function idsOf(filter: AuditFilter): Promise<string[]> {
  return (await listAudit(own, filter, { limit: 1_000 })).rows.map(({ id }) => id);
}
const where = async (condition: string) =>
  (await own.query(`select audit_id from backstop.audit where ${condition} order by at desc, audit_id desc`)).rows.map(
    (row) => row.audit_id,
  );

test("a page has each row once, forth and back, also where rows are of one microsecond", async () => {
  const ids: string[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await listAudit(own, {}, { after, limit: 100 });
    ids.push(...page.rows.map(({ id }) => id));
    if (page.next === null) break;
    after = page.next;
  }
  expect(ids).toEqual(Array.from({ length: ROWS }, (_, n) => String(ROWS - n)));
  const second = await listAudit(own, {}, { after: (await listAudit(own, {}, { limit: 100 })).next ?? "", limit: 100 });
  const first = await listAudit(own, {}, { before: second.previous ?? "", limit: 100 });
  expect(first.rows.map(({ id }) => id)).toEqual(ids.slice(0, 100));
});

test("each filter gives what the database gives for it", async () => {
  const operation = (await own.query("select operation_id from backstop.audit where audit_id = 1")).rows[0]
    .operation_id;
  expect(await idsOf({ who: "u-3" })).toEqual(await where("actor_id = 'u-3'"));
  expect(await idsOf({ action: "requeue", phase: "intent" })).toEqual(
    await where("action = 'requeue' and phase = 'intent'"),
  );
  expect(await idsOf({ target: "l-7" })).toEqual(["30", "29"]);
  expect(await idsOf({ target: operation })).toEqual(["2", "1"]);
  const { atMs } = (await findAuditEntry(own, "200"))?.entry ?? { atMs: 0 };
  const early = await idsOf({ toMs: atMs });
  expect([...(await idsOf({ fromMs: atMs })), ...early]).toHaveLength(ROWS);
  await recordAudit(own, {
    phase: "outcome",
    action: "resolve",
    actor: { id: "u", name: "U", role: "admin" },
    target: { letterIds: ["x", "needle"] },
  });
  expect(await idsOf({ target: "needle" })).toEqual([String(ROWS + 1)]);
});

test("who is limited to queues sees the rows of those and their own, in the list and by number", async () => {
  const within = { queues: ["session-lifecycle"], userId: "u-3" };
  expect(await idsOf({ within })).toEqual(await where("actor_id = 'u-3'"));
  const [other = ""] = await where("actor_id = 'u-1' and action = 'requeue'");
  expect(await findAuditEntry(own, other, within)).toBeNull();
  expect(await findAuditEntry(own, other, { ...within, queues: ["persistence-retry"] })).not.toBeNull();
  const choices = await readAuditChoices(own, within);
  expect(choices.actors.map(({ id }) => id)).toEqual(["u-3"]);
  const theirs = await own.query("select distinct action from backstop.audit where actor_id = 'u-3' order by 1");
  expect(choices.actions).toEqual(theirs.rows.map(({ action }) => action));
});

test("who and what can be asked for is what is in it", async () => {
  const { actors, actions } = await readAuditChoices(own);
  expect(actions).toEqual(["mend_catalog", "note", "requeue", "resolve"]);
  expect(actors.map(({ id }) => id).sort()).toEqual(["u", "u-0", "u-1", "u-2", "u-3", "u-4", "u-5", "u-6"]);
});

async function whole(filter: AuditFilter, format: "csv" | "json"): Promise<string> {
  let text = "";
  for await (const part of exportAudit(own, filter, format)) text += part;
  return text;
}

test("a file has each row of the filter once, in both formats, and no formula", async () => {
  const rows = JSON.parse(await whole({}, "json")) as { row: string }[];
  expect(rows.map(({ row }) => row)).toEqual(await where("true"));
  const csv = (await whole({ action: "requeue" }, "csv")).trimEnd().split("\r\n");
  expect(csv[0]).toMatch(/^row,at,phase,action,actor_id,/);
  expect(csv.slice(1).map((line) => line.split(",")[0])).toEqual(await where("action = 'requeue'"));
  expect(await whole({ who: "u-3" }, "csv")).toContain(",'=,");
  expect(JSON.parse(await whole({ who: "nobody" }, "json"))).toEqual([]);
});

test("no file holds a character that is not seen: CSV names it, and JSON reads back as what was written", async () => {
  const actor = { id: "odd", name: "É \u202e", role: "operator" };
  const reason = "\u001b[31mpaid\u2066 \u200b twice\u0085";
  await recordAudit(own, { phase: "outcome", action: "resolve", actor, target: { word: "\u202e" }, reason });
  const csv = await whole({ who: "odd" }, "csv");
  expect(csv).toContain("É ‹RLO›");
  expect(csv).toContain("‹ESC›[31mpaid‹LRI› ‹ZWSP› twice‹U+0085›");
  const json = await whole({ who: "odd" }, "json");
  for (const file of [csv, json]) expect(markUnseen(file)).toBe(file);
  expect(JSON.parse(json)).toMatchObject([{ actor_name: actor.name, target: { word: "\u202e" }, reason }]);
});
