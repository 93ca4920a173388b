import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createPool } from "@/lib/db/pg";
import type { NonceStore } from "@/lib/internal-rpc/nonces";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { createNonceStore } from "./nonces";

let stores: TestStores;
let pool: Pool;
let nonces: NonceStore;

beforeAll(async () => {
  stores = await openStores();
  const url = stores.postgresUrl("engine");
  pool = createPool({ url, application: "nonces-test", max: 25, statementTimeoutMs: 20_000 });
  nonces = createNonceStore(pool);
});
afterAll(async () => {
  await pool.end();
  await stores.close();
});
afterEach(() => vi.useRealTimers());

async function storeS(): Promise<number> {
  const { rows } = await pool.query("select floor(extract(epoch from clock_timestamp()))::int as s");
  return rows[0].s;
}
async function request(offsetS = 0, nonce = randomBytes(12).toString("base64url")) {
  const createdS = (await storeS()) + offsetS;
  return { keyId: "k1", nonce, createdS, expiresS: createdS + 30, actor: "a", idempotencyKey: null };
}

describe("a nonce", () => {
  test("is fresh once", async () => {
    const asked = await request();
    expect((await nonces.consume(asked)).kind).toBe("fresh");
    expect((await nonces.consume(asked)).kind).toBe("replayed");
    expect((await nonces.consume({ ...asked, keyId: "k2" })).kind).toBe("fresh");
  });

  test("of twenty that ask for it at once, one is fresh", async () => {
    const asked = await request();
    // Somebody has it already and has not committed: all twenty come to wait for that row, then are let go together.
    const holder = await pool.connect();
    await holder.query("begin");
    await holder.query("insert into internal_rpc_nonces values ($1, $2, clock_timestamp())", [
      asked.keyId,
      asked.nonce,
    ]);
    const asking = Array.from({ length: 20 }, () => nonces.consume(asked));
    await until(async () => {
      // Asked outside of the transaction: inside, the view stands still.
      const { rows } = await pool.query(
        "select count(*)::int as n from pg_stat_activity where application_name = 'nonces-test' and wait_event_type = 'Lock'",
      );
      return rows[0].n === 20;
    });
    await holder.query("rollback");
    holder.release();
    const kinds = (await Promise.all(asking)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "fresh")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "replayed")).toHaveLength(19);
    const { rows } = await pool.query("select count(*)::int as n from internal_rpc_nonces where nonce = $1", [
      asked.nonce,
    ]);
    expect(rows[0].n).toBe(1);
  });

  test("is forgotten after 15 minutes and not before", async () => {
    const [old, young] = [await request(), await request()];
    for (const asked of [old, young]) await nonces.consume(asked);
    await pool.query("update internal_rpc_nonces set seen_at = seen_at - interval '901 s' where nonce = $1", [
      old.nonce,
    ]);
    await pool.query("update internal_rpc_nonces set seen_at = seen_at - interval '890 s' where nonce = $1", [
      young.nonce,
    ]);
    expect(await nonces.sweep()).toBe(1);
    expect((await nonces.consume(young)).kind).toBe("replayed");
  });
});

describe("a signature's time, on the store's clock", () => {
  test.each([
    ["now", 0, 30, "fresh"],
    ["25 s old", -25, 30, "fresh"],
    ["290 s in the future", 290, 30, "fresh"],
    ["310 s in the future", 310, 30, "too_far"],
    ["310 s old", -310, 30, "too_far"],
    ["310 s old and not expired", -310, 900, "too_far"],
    ["expired 5 s ago", -35, 30, "expired"],
    ["in a year that no timestamp holds", 900_000_000_000_000, 30, "too_far"],
  ])("%s", async (_, offsetS, lifeS, expected) => {
    const asked = await request(offsetS);
    const verdict = await nonces.consume({ ...asked, expiresS: asked.createdS + lifeS });
    expect(verdict.kind === "clock_skew" ? verdict.why : verdict.kind).toBe(expected);
    expect(verdict.serverTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    // What was refused used no nonce up.
    const { rows } = await pool.query("select 1 from internal_rpc_nonces where nonce = $1", [asked.nonce]);
    expect(rows).toHaveLength(verdict.kind === "fresh" ? 1 : 0);
  });

  test.each([-86_400_000, -3_600_000, 3_600_000, 86_400_000])("does not ask this process, %i ms off", async (offMs) => {
    const asked = await request();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + offMs });
    expect((await nonces.consume(asked)).kind).toBe("fresh");
  });
});

async function until(done: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await done()) return;
    await sleep(20);
  }
  throw new Error("it did not come about");
}
