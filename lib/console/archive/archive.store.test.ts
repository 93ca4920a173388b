import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { archiveAll, keptLetter, openArchive, QUEUE, type TestArchive, walkAll } from "@/scripts/testing/archive";
import { overlapping } from "@/scripts/testing/forced-race";
import { makeCharacter, makeLetter } from "@/scripts/testing/game";
import { insertOddRows } from "@/scripts/testing/odd-rows";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { archiveNew } from "./archive-new";
import { listCaughtUp } from "./caught-up";
import { copyLetters } from "./copy";
import { tokenHash } from "./token-hash";

vi.setConfig({ testTimeout: 120_000 });

let stores: TestStores;
let archive: TestArchive;
beforeEach(async () => {
  stores = await openStores();
  archive = openArchive(stores);
});
afterEach(() => stores.close());

const idsOf = async (text: string) => (await archive.own.query(text)).rows.map((row: { id: string }) => row.id).sort();
const keptIds = () => idsOf("select letter_id as id from backstop.dead_letters");
const storedIds = async () =>
  (await archive.game.query("select dead_letter_id::text as id from persistence_job_dead_letters")).rows
    .map((row: { id: string }) => row.id)
    .sort();

/** Many letters, as one statement; the longest dead first. */
const fill = (letters: number, died = "clock_timestamp() - (20000 - n) * interval '100 ms'") =>
  archive.game.query(
    `insert into persistence_job_dead_letters (dead_letter_id, retry_job_id, job_kind, character_id, realm_id, payload,
        failed_attempts, error, dead_lettered_at)
      select gen_random_uuid(), gen_random_uuid(), 'combat_rewards', gen_random_uuid(), 'realm-1', '{"n":' || n || '}', 8,
        'ERROR 23503 of job ' || n, ${died}
      from generate_series(1, $1::int) as n`,
    [letters],
  );

test("each letter is kept once and none is missing, page by page and however often it is read again", async () => {
  await fill(2_500);
  for (let run = await archiveNew(archive.own, archive.queue, null, { page: 100, runMs: 50 }); run.more; ) {
    run = await archiveNew(archive.own, archive.queue, run.resume, { page: 100, runMs: 50 });
  }
  expect(await keptIds()).toEqual(await storedIds());
  expect(await archiveNew(archive.own, archive.queue)).toMatchObject({ copied: 0, more: false });
  expect(await keptIds()).toEqual(await storedIds());
});

test("10,000 letters of one microsecond are all kept", async () => {
  await fill(10_000, "timestamptz '2026-11-14T03:02:00.000001Z' + 0 * n * interval '1 s'");
  const { rows } = await archive.game.query(
    `update persistence_job_dead_letters set dead_lettered_at = (select clock_timestamp() - interval '1 day')
       returning dead_lettered_at::text as at`,
  );
  expect(new Set(rows.map(({ at }) => at)).size).toBe(1);
  await archiveAll(archive.own, archive.queue);
  expect(await keptIds()).toEqual(await storedIds());
});

test("a letter that died earlier and is committed later is kept, though newer ones were kept before it", async () => {
  const late = await archive.game.connect();
  await late.query("begin");
  await late.query(
    `insert into persistence_job_dead_letters (dead_letter_id, retry_job_id, job_kind, character_id, realm_id, payload,
       failed_attempts, error, dead_lettered_at)
     values (gen_random_uuid(), gen_random_uuid(), 'combat_rewards', gen_random_uuid(), 'realm-1', '{}', 8, 'late', clock_timestamp())`,
  );
  await fill(10, "clock_timestamp()");
  await archiveAll(archive.own, archive.queue);
  expect(await keptIds()).toHaveLength(10);
  await late.query("commit");
  late.release();
  await archiveAll(archive.own, archive.queue);
  expect(await keptIds()).toEqual(await storedIds());
});

test("a letter that comes in hours behind the cursor is found by the walk over all ids", async () => {
  await fill(10, "clock_timestamp() - interval '10 minutes'");
  await archiveAll(archive.own, archive.queue);
  const { letterId } = await makeLetter(archive.game, { diedAgo: "5 hours" });
  await archiveAll(archive.own, archive.queue);
  expect(await keptLetter(archive.own, letterId)).toBeUndefined();
  await walkAll(archive.own, archive.queue);
  expect(await keptLetter(archive.own, letterId)).toMatchObject({ state: "open" });
});

test("two keepers that write the same letters at once keep each once, and stand in each other's way only to wait", async () => {
  await fill(300);
  await archiveAll(archive.own, archive.queue);
  await fill(300);
  const { keys } = await archive.queue.archive.listAfter(null, { months: 13, limit: 1_000 });
  const lock = { text: "select from backstop.error_groups for update", values: [] };
  const copy = (order: typeof keys) => () => copyLetters(archive.own, archive.queue, order);
  const settled = await overlapping(archive.own, lock, [copy(keys), copy(keys.toReversed())]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await keptIds()).toEqual(await storedIds());
});

test("nothing that is kept holds a session token: not of the payload, not where the error quotes it, not in a title", async () => {
  const plain = "tok-plain-8f3a0c55d1";
  const quoted = 'tok-"quoted"-77aa01';
  const large = "tok-large-5512cc90ab";
  const broken = "tok-broken-00ffee11";
  const made = {
    plain: await makeLetter(archive.game, {
      sessionToken: plain,
      error: `${"x".repeat(300)} session ${plain} refused; session_token=${plain}`,
    }),
    quoted: await makeLetter(archive.game, {
      sessionToken: quoted,
      error: `no ${JSON.stringify(quoted)}, no ${quoted}`,
    }),
    cut: await makeLetter(archive.game, { sessionToken: plain, error: `${"y ".repeat(8_185)}${plain} ${plain}` }),
    large: await makeLetter(archive.game, {
      payload: `{"fill":"${"z".repeat(400_000)}","session_token":"${large}"}`,
      error: `refused ${large}`,
    }),
    broken: await makeLetter(archive.game, { payload: `{"session_token":"${broken}", oh`, error: `refused ${broken}` }),
    nested: await makeLetter(archive.game, {
      payload: `{"inner":[{"sessionToken":{"value":"${plain}"}}]}`,
      error: `refused ${plain}`,
    }),
  };
  await archiveAll(archive.own, archive.queue);
  const { rows } = await archive.own.query(
    "select to_jsonb(d)::text as all from backstop.dead_letters d union all select to_jsonb(g)::text from backstop.error_groups g",
  );
  expect(rows.length).toBeGreaterThan(6);
  const kept = rows.map((row: { all: string }) => row.all).join("\n");
  for (const part of ["tok-plain", "quoted-77", 'quoted\\"-77', "tok-large", "tok-broken", "5512cc90"])
    expect(kept).not.toContain(part);
  for (const [name, token] of Object.entries({ plain, quoted, large, broken })) {
    const letter = await keptLetter(archive.own, made[name as keyof typeof made].letterId);
    expect(letter.token).toBe(tokenHash(token, stores.backstopSecret));
  }
  expect(await keptLetter(archive.own, made.plain.letterId)).toMatchObject({
    payload: made.plain.payload.replace(JSON.stringify(plain), '"‹redacted, 20 bytes›"'),
    hash: createHash("sha256").update(made.plain.payload).digest("hex"),
    labels: { realm: "realm-1", zone: "harbour", impact: "None", source: "zone-server-14" },
  });
});

test("odd rows are kept: absurd times, 20 MB, 1 MB of error, half a surrogate pair, nothing at all", async () => {
  const odd = await insertOddRows(archive.game);
  await archiveAll(archive.own, archive.queue);
  await walkAll(archive.own, archive.queue);
  expect(await keptIds()).toEqual(await storedIds());
  for (const [name, { letterId, payload }] of odd) {
    const kept = await keptLetter(archive.own, letterId);
    expect([name, kept.hash]).toEqual([name, createHash("sha256").update(payload).digest("hex")]);
    expect(Buffer.byteLength(kept.error)).toBeLessThanOrEqual(16_384);
  }
  const { rows } = await archive.own.query(
    "select letter_id from backstop.dead_letters where not isfinite(died_at) or died_at < '1970-01-01'",
  );
  expect(rows).toHaveLength(3);
});

test("one letter that cannot be kept keeps out no other, and is named in the log", async () => {
  await fill(50);
  const { letterId } = await makeLetter(archive.game, { attempts: -1 });
  await stores
    .pool("backstop_migrate")
    .query("alter table backstop.dead_letters add constraint nobody check (attempts >= 0)");
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  await archiveAll(archive.own, archive.queue);
  expect(said).toHaveBeenCalledWith(expect.stringContaining(letterId));
  said.mockRestore();
  expect(await keptIds()).toHaveLength(50);
});

test("a store with the seed's columns alone is archived, with impact and source from the payload", async () => {
  await archive.game.query(
    `drop table persistence_retry_outcomes, persistence_retry_attempts, persistence_retry_minute_counts, persistence_retry_operations;
     drop index persistence_job_dead_letters_dead_at, persistence_job_dead_letters_job;
     alter table persistence_job_dead_letters drop column source, drop column session_impact, drop column requeued_from,
       drop column operation_id, drop column session_token_hash, drop column requeued_at, drop column requeued_retry_job_id`,
  );
  const { letterId } = await makeLetter(archive.game, { sessionToken: "tok-seed-0123456" });
  const old = await makeLetter(archive.game, { diedAgo: "3 years" });
  await archiveAll(archive.own, archive.queue);
  await walkAll(archive.own, archive.queue);
  expect(await keptLetter(archive.own, letterId)).toMatchObject({
    queue: QUEUE,
    state: "open",
    labels: { realm: "realm-1", zone: "harbour", impact: "None", source: "zone-server-14" },
    token: tokenHash("tok-seed-0123456", stores.backstopSecret),
  });
  expect(await keptLetter(archive.own, old.letterId)).toMatchObject({ state: "open" });
});

test("letters of one cause share a group, told by kind and error; its first and last death are theirs", async () => {
  const characterId = await makeCharacter(archive.game);
  for (const diedAgo of ["3 hours", "1 hour", "2 hours"]) {
    await makeLetter(archive.game, { characterId, diedAgo, error: `no zone ${diedAgo.slice(0, 1)}` });
    await archiveAll(archive.own, archive.queue);
    await walkAll(archive.own, archive.queue);
  }
  await makeLetter(archive.game, { characterId, kind: "character_location", error: "no zone 4" });
  await archiveAll(archive.own, archive.queue);
  const { rows } = await archive.own.query(
    `select g.kind, g.title, count(*)::int as letters, min(d.died_at) = g.first_seen_at as first, max(d.died_at) = g.last_seen_at as last
       from backstop.error_groups g join backstop.dead_letters d using (group_id) group by g.group_id order by g.kind`,
  );
  expect(rows).toEqual([
    { kind: "character_location", title: "no zone ‹n›", letters: 1, first: true, last: true },
    { kind: "combat_rewards", title: "no zone ‹n›", letters: 3, first: true, last: true },
  ]);
});

test("a queue that no keeper has begun with is behind, and caught up once it is read to its end", async () => {
  await fill(3);
  const behind = () => listCaughtUp(archive.own, [QUEUE]);
  expect(await behind()).toEqual([{ queue: QUEUE, atMs: null, lateMs: null }]);
  await archiveAll(archive.own, archive.queue);
  expect(await behind()).toEqual([{ queue: QUEUE, atMs: expect.any(Number), lateMs: expect.any(Number) }]);
});
