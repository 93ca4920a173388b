import { afterAll, beforeAll, expect, test } from "vitest";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { migrate } from "./migrate";

let stores: TestStores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());

const urls = () => ({
  migrateUrl: stores.postgresUrl("backstop_migrate"),
  ownUrl: stores.postgresUrl("backstop_own"),
});

test("a schema that is newer than the code is refused in one sentence, and nothing in it is changed", async () => {
  const owner = stores.pool("backstop_migrate", 1);
  await migrate(urls());
  await owner.query("insert into backstop.migrations (name, run_on) values ('9999_later', now())");
  const before = await owner.query("select * from backstop.migrations order by name");
  await expect(migrate(urls())).rejects.toThrow(/^The schema "backstop" is newer than this version .*9999_later/);
  expect((await owner.query("select * from backstop.migrations order by name")).rows).toEqual(before.rows);
});
