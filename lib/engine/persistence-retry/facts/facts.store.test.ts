import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readFacts, requeueOne } from "@/lib/engine/persistence-retry";
import { applyOnce } from "@/lib/engine/persistence-retry/apply-once";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { insertJob, insertLetter, locationJob, newCharacter, newZone, rewardsJob } from "@/lib/engine/testing/maker";
import { LetterFacts } from "@/lib/internal-rpc/wire";
import { openStores, type TestStores } from "@/scripts/testing/stores";

let stores: TestStores;
let pool: pg.Pool;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
});
afterAll(() => stores.close());

async function factsOf(letter: string): Promise<LetterFacts> {
  const [facts] = (await readFacts(pool, [letter])).facts;
  return LetterFacts.parse(facts);
}
const fieldsOf = (facts: LetterFacts) =>
  Object.fromEntries(facts.fields.map(({ field, now, after }) => [field, [now, after]]));

/** Everything in the store that a preflight could write to, as one text. */
async function everything(): Promise<string> {
  const tables = await pool.query(
    "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  );
  const texts = tables.rows.map(async ({ relname }) => {
    const { rows } = await pool.query(`select xmin::text, t::text as row from ${relname} t order by 2`);
    return JSON.stringify([relname, rows]);
  });
  return (await Promise.all(texts)).join("\n");
}

test.each([
  [
    "character_location",
    (zoneId: string) => (person: Parameters<typeof locationJob>[0]) =>
      locationJob(person, { zoneId, x: "9007199254740993.5" }),
  ],
  [
    "combat_rewards",
    () => (person: Parameters<typeof rewardsJob>[0]) => rewardsJob(person, { gold: "9007199254740993" }),
  ],
] as const)("%s: the facts say what applying then does, and write nothing", async (_kind, maker) => {
  const person = await newCharacter(pool);
  const zoneId = await newZone(pool);
  const job: PersistenceRetryJob = maker(zoneId)(person);
  const letter = await insertLetter(pool, job);
  const before = await everything();
  const facts = await factsOf(letter);
  expect(await everything()).toBe(before);
  const client = await pool.connect();
  await client.query("begin");
  await applyOnce(client, randomUUID(), job);
  await client.query("commit");
  client.release();
  const applied = await factsOf(letter);
  for (const { field, after } of facts.fields) {
    expect([field, applied.fields.find((each) => each.field === field)?.now]).toEqual([field, after]);
  }
  expect(facts.fields.length).toBeGreaterThanOrEqual(3);
  expect(facts.key_applied).toBeNull();
  expect(applied.key_applied).not.toBeNull();
  expect([facts.character?.version, applied.character?.version]).toEqual(["7", "8"]);
});

test("values are the source's own text, and what stays the same says so", async () => {
  const person = await newCharacter(pool);
  const [location, rewards] = [locationJob(person, { x: "1.50" }), rewardsJob(person)];
  const moved = await factsOf(await insertLetter(pool, location));
  expect(moved.fields).toEqual([
    { field: "zone_id", payload: person.zoneId, now: person.zoneId, after: person.zoneId, change: "same" },
    { field: "position.x", payload: "1.50", now: "1.5", after: "1.50", change: "same" },
    { field: "position.y", payload: "-3.5", now: "-2.25", after: "-3.5", change: "sets" },
    { field: "position.z", payload: "0", now: "0", after: "0", change: "same" },
    { field: "zone_catalog", payload: person.zoneId, now: person.zoneId, after: person.zoneId, change: "same" },
  ]);
  const earned = await factsOf(await insertLetter(pool, rewards));
  expect(earned.fields.slice(0, 2)).toEqual([
    { field: "gold", payload: "240", now: "100", after: "340", change: "adds" },
    { field: "items.cinder_plate_shard", payload: "2", now: "0", after: "2", change: "adds" },
  ]);
  expect(earned.job).toMatchObject({ kind: "combat_rewards", semantics: "additive", character_version: "7" });
  expect(moved.job).toMatchObject({ semantics: "absolute", issued_at: "2026-11-14T03:29:08.412Z" });
  expect(earned.character).toMatchObject({ name: "Brannoch", realm_id: "aurelia", version: "7" });
});

test("a zone that left the catalog, a character that is not there or in another realm", async () => {
  const person = await newCharacter(pool);
  const noZone = await factsOf(await insertLetter(pool, rewardsJob(person, { zoneId: "nowhere" })));
  expect(fieldsOf(noZone).zone_catalog).toEqual([null, null]);
  const nobody = await factsOf(await insertLetter(pool, locationJob({ ...person, characterId: randomUUID() })));
  expect(nobody.character).toBeNull();
  expect(fieldsOf(nobody)["position.x"]).toEqual([null, null]);
  const elsewhere = await factsOf(await insertLetter(pool, rewardsJob({ ...person, realmId: "thornmark" })));
  expect(elsewhere.character?.realm_id).toBe("aurelia");
  expect(elsewhere.job?.realm_id).toBe("thornmark");
  expect(fieldsOf(elsewhere).gold).toEqual([null, null]);
});

test("unknown, undecodable and requeued letters say what they are, in the order asked", async () => {
  const person = await newCharacter(pool);
  const broken = await insertLetter(pool, rewardsJob(person), { payload: '{"payload":1}' });
  const gone = await insertLetter(pool, rewardsJob(person));
  const requeued = await requeueOne(pool, { deadLetterId: gone, actor: "somebody" });
  const missing = randomUUID();
  const { facts, read_at } = await readFacts(pool, [missing, broken, gone]);
  expect(read_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(facts.map((each) => [each.dead_letter_id, each.found])).toEqual([
    [missing, false],
    [broken, true],
    [gone, true],
  ]);
  expect(facts[1]?.decodes).toMatchObject({ ok: false });
  expect(facts[1]?.job).toBeNull();
  if (requeued.kind !== "requeued") throw new Error(requeued.kind);
  expect(facts[2]?.requeued).toMatchObject({ retry_job_id: requeued.retryJobId, actor: "somebody" });
  // Its own requeued job is not a newer one.
  expect(facts[2]?.newer_jobs).toEqual([]);
});

test("newer work of the same character and kind is named; older, other and requeued work is not", async () => {
  const person = await newCharacter(pool);
  const other = await newCharacter(pool);
  await insertLetter(pool, locationJob(person));
  const letter = await insertLetter(pool, locationJob(person));
  expect(await factsOf(letter)).toMatchObject({ newer_jobs: [], newer_letters: [] });
  const job = await insertJob(pool, locationJob(person), "retrying");
  await insertJob(pool, rewardsJob(person));
  await insertJob(pool, locationJob(other));
  const newer = await insertLetter(pool, locationJob(person));
  const facts = await factsOf(letter);
  expect(facts.newer_jobs.map((each) => each.retry_job_id)).toEqual([job]);
  expect(facts.newer_letters.map((each) => each.dead_letter_id)).toEqual([newer]);
  await requeueOne(pool, { deadLetterId: newer, actor: "a" });
  expect((await factsOf(letter)).newer_letters).toEqual([]);
});

test("how the kind fares lately comes from the minute counts", async () => {
  const letter = await insertLetter(pool, rewardsJob(await newCharacter(pool)));
  await pool.query(
    `insert into persistence_retry_minute_counts (minute, job_kind, worker, done, failed)
     values (date_trunc('minute', clock_timestamp()), 'combat_rewards', 'a', 212, 3),
            (date_trunc('minute', clock_timestamp()), 'combat_rewards', 'b', 1, 0),
            (date_trunc('minute', clock_timestamp()), 'character_location', 'a', 50, 50),
            (date_trunc('minute', clock_timestamp()) - interval '20 minutes', 'combat_rewards', 'a', 1000, 1000)`,
  );
  expect((await factsOf(letter)).recent).toEqual({ minutes: 5, done: 213, failed: 3 });
});

test("a letter's fields are at most 4 KiB, cut with a mark", async () => {
  const person = await newCharacter(pool);
  const job = rewardsJob(person);
  if (job.payload.kind !== "combat_rewards") throw new Error();
  job.payload.itemIds = Array.from({ length: 150 }, (_, n) => `${"ä".repeat(150)}_${n}`);
  job.payload.quantities = job.payload.itemIds.map(() => "1");
  const facts = await factsOf(await insertLetter(pool, job));
  expect(facts.fields_cut).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(facts.fields.map((f) => [f.field, f.payload, f.now, f.after])))).toBeLessThan(
    6_000,
  );
  expect(facts.fields.length).toBeGreaterThan(5);
  expect(facts.fields[1]?.field).toMatch(/… \(\d+ bytes, cut\)$/);
});

test("an amount that its column cannot hold has no 'after', and does not blank the other letters", async () => {
  const person = await newCharacter(pool);
  const over = await insertLetter(pool, rewardsJob(person, { gold: "9223372036854775807" }));
  const fine = await insertLetter(pool, rewardsJob(person));
  const { facts } = await readFacts(pool, [over, fine]);
  const gold = { field: "gold", payload: "9223372036854775807", now: "100", after: null, change: "adds" };
  expect(facts[0]?.fields[0]).toEqual(gold);
  expect(facts[1]?.fields[0]).toMatchObject({ field: "gold", after: "340" });
});

test("five hundred letters are read within the client's patience", async () => {
  const person = await newCharacter(pool);
  const ids = await Promise.all(Array.from({ length: 500 }, () => insertLetter(pool, rewardsJob(person))));
  const startedMs = performance.now();
  const { facts } = await readFacts(pool, ids);
  expect(facts).toHaveLength(500);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
});

test("how the store is set is told as a writing connection sees it, not as the facts' own read-only one", async () => {
  const { store } = await readFacts(pool, []);
  expect(store).toMatchObject({ in_recovery: false, read_only: false, fsync: false, synchronous_commit: "off" });
  await pool.query(`alter role engine in database ${stores.database} set default_transaction_read_only = on`);
  const later = stores.pool("engine");
  expect((await readFacts(later, [])).store).toMatchObject({ read_only: true });
  await pool.query(`alter role engine in database ${stores.database} reset all`);
});
