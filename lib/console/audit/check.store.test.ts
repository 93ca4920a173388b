import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillAudit } from "@/scripts/testing/audit-rows";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { checkNightly, findLastCheck } from "./check";

let stores: TestStores;
let own: Pool;
let owner: Pool;
beforeAll(async () => {
  stores = await openStores();
  own = stores.pool("backstop_own");
  owner = stores.pool("backstop_migrate");
  await fillAudit(own, 12);
});
afterAll(() => stores.close());

/** As if the checks so far had been a day before. */
const aDayLater = () => owner.query("update backstop.audit_checks set at = at - interval '1 day'");

test("the whole audit is checked once a night, however many keepers ask, and what was found is kept", async () => {
  expect(await findLastCheck(own)).toBeNull();
  expect(await checkNightly(own)).toMatchObject({ rows: 12, wrong: 0 });
  expect(await checkNightly(own)).toBeNull();
  expect(await findLastCheck(own)).toMatchObject({ rows: 12, wrong: 0, findings: [] });
  await aDayLater();
  await owner.query("update backstop.audit set reason = 'x' where audit_id = 5");
  expect(await checkNightly(own)).toMatchObject({ wrong: 1 });
  expect(await findLastCheck(own)).toMatchObject({ wrong: 1, findings: [{ kind: "edited", id: "5" }] });
});

test("what a check has seen and is gone by the next, heads and all, is told", async () => {
  await aDayLater();
  await owner.query(
    "delete from backstop.audit where audit_id > 10; delete from backstop.audit_heads where audit_id > 10",
  );
  const check = await checkNightly(own);
  expect(check?.findings.map(({ kind, id }) => `${kind} ${id}`)).toEqual(["edited 5", "truncated 12"]);
  expect(check?.findings[1]?.sentence).toMatch(
    /^Row 12 was there for the check of .* UTC, and the audit ends at row 10\.$/,
  );
});
