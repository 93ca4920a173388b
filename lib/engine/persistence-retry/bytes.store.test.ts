import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { insertLetter, newCharacter, type Person, rewardsJob } from "@/lib/engine/testing/maker";
import { retrySettings } from "@/lib/engine/testing/retry-settings";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { requeueOne } from ".";
import { claimSignaled } from "./claim";
import { createCounters } from "./counters";
import { persistRetryJobBestEffort } from "./persist-retry-job";

const SETTINGS = retrySettings({ attemptsMax: 1 });
const counters = createCounters();

// Twenty megabytes go through the store six times.
vi.setConfig({ testTimeout: 120_000 });

let stores: TestStores;
let pool: pg.Pool;
let person: Person;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
  person = await newCharacter(pool);
});
afterAll(() => stores.close());

/** A job that decodes and fails (its zone is not there), with more in it than anybody knows of. */
const odd = (extra: string, gold = "9007199254740993") =>
  `{ "unknown" : ${extra},\n\t"payload":{"kind":"combat_rewards","character_id":"${person.characterId}",` +
  `"realm_id":"aurelia","zone_id":"nowhere","encounter_id":"e","rewards":{"gold":${gold},"items":[]}},` +
  `"source":"combat_rewards","session_impact":"None","session_impact":"SessionDegraded",` +
  `"idempotency":{"key":"${randomUUID()}","character_version":7,"issued_at":"2026-11-14T03:29:08.412Z"}}`;

const ODD = {
  "integers over 2^53": () => odd("[9007199254740993, -18446744073709551617]"),
  "numbers beyond a double": () => odd("1e400"),
  "an empty list": () => odd("[]"),
  "duplicate keys": () => odd('{"a":1,"a":2,"a":1}'),
  "half a surrogate pair": () => odd('"\\ud800"'),
  "key order, spaces and escapes": () => odd('{"b":"\\u00e9\\/","a": 1.0, "10":1,"9":2}'),
  "names of the prototype": () => odd('{"__proto__":{"x":1},"constructor":1}'),
  "four bytes a character": () => odd('"🜂 Ångström \\ufeff"'),
  "twenty megabytes": () => odd(`"${"y".repeat(20_000_000)}"`),
  "a hundred thousand levels of nesting": () => odd(`${"[".repeat(100_000)}${"]".repeat(100_000)}`),
  "a zero written long": () => odd("[0.10, -0, 1E+2]"),
};

test.each(Object.entries(ODD))("%s: byte for byte from the row through a letter and back", async (_name, make) => {
  const payload = make();
  const letter = await insertLetter(pool, rewardsJob(person), { payload });
  const bytes = async (table: string, where: string, id: string) =>
    (await pool.query(`select convert_to(payload, 'UTF8') as bytes from ${table} where ${where} = $1`, [id])).rows[0]
      .bytes;
  const original = Buffer.from(payload);
  expect(original.equals(await bytes("persistence_job_dead_letters", "dead_letter_id", letter))).toBe(true);

  const requeued = await requeueOne(pool, { deadLetterId: letter, actor: "a" });
  if (requeued.kind !== "requeued") throw new Error(requeued.kind);
  expect(original.equals(await bytes("persistence_retry_jobs", "retry_job_id", requeued.retryJobId))).toBe(true);

  const claim = await claimSignaled(pool, [requeued.retryJobId], { worker: "w", leaseMs: 30_000, rowsMax: 1 });
  const [job] = claim.jobs;
  if (!job) throw new Error("not claimed");
  expect(await persistRetryJobBestEffort({ pool, settings: SETTINGS, counters }, claim, job)).toBe("dead");
  const again = await bytes("persistence_job_dead_letters", "retry_job_id", requeued.retryJobId);
  expect(original.equals(again)).toBe(true);
});

test("bytes that are not JSON at all die as they are", async () => {
  const payload = '[1e400, {"a": 1, "a": ';
  const id = randomUUID();
  await pool.query(
    `insert into persistence_retry_jobs
       (retry_job_id, job_kind, character_id, realm_id, payload, next_attempt_at, created_at, updated_at)
     values ($1, 'combat_rewards', $2, 'aurelia', $3, clock_timestamp(), clock_timestamp(), clock_timestamp())`,
    [id, person.characterId, payload],
  );
  const claim = await claimSignaled(pool, [id], { worker: "w", leaseMs: 30_000, rowsMax: 1 });
  const [job] = claim.jobs;
  if (!job) throw new Error("not claimed");
  expect(await persistRetryJobBestEffort({ pool, settings: SETTINGS, counters }, claim, job)).toBe("dead");
  const { rows } = await pool.query("select payload from persistence_job_dead_letters where retry_job_id = $1", [id]);
  expect(rows).toEqual([{ payload }]);
});
