import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Finding } from "@/lib/domain/preflight";
import { createRpcClient } from "@/lib/internal-rpc/client";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import { AUDIENCE } from "@/scripts/testing/engine";
import { type FindingDesk, openFindingDesk } from "@/scripts/testing/finding-desk";
import { makeCharacter, makeJob, makeLetter, makeZone, type WorkOptions } from "@/scripts/testing/game";
import { WORK_KINDS } from "@/scripts/testing/kind-bodies";

// Each finding: its setting made for real, its sentence, and its absence on a safe letter of each kind.

// Engines start and are killed here; each is a process of its own.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let desk: FindingDesk;
let game: FindingDesk["game"];

beforeAll(async () => {
  desk = await openFindingDesk();
  game = desk.game;
});
afterAll(() => desk?.end());

const find: FindingDesk["find"] = (letterId, over) => desk.find(letterId, over);

test.each(WORK_KINDS)("a safe %s letter: every finding is there, and none of them warns", async (kind) => {
  const { letterId } = await makeLetter(game, { kind });
  const found = await desk.look(letterId);
  expect(found.findings.map((finding) => [finding.code, finding.severity]).toSorted()).toEqual(
    [
      ["already_applied", "ok"],
      ["character_exists", "ok"],
      ["died_again", "ok"],
      ["engine", "ok"],
      ["kind_healthy", "ok"],
      ["newer_work", "ok"],
      ["payload_decodes", "ok"],
      ...(REFERRING.includes(kind) ? [["reference_missing", "ok"]] : []),
      ["row_changed", "ok"],
      ["session_active", "ok"],
      ["store_fit", "ok"],
      ["store_fit_redis", "ok"],
      ...(kind === "transfer_activation" ? [["transfer_state", "ok"]] : []),
    ].toSorted(),
  );
  expect(found.expect).toEqual({ characterVersion: "7", session: "inactive" });
  expect(found.effects?.some((effect) => effect.change === "harmful")).toBe(false);
  expect(found.findings.filter((finding) => finding.runbook !== undefined)).toEqual([]);
});

/** Kinds whose write refers to rows of a catalog. */
const REFERRING = ["combat_rewards", "character_location", "character_equipment", "transfer_activation"];
const KINDS = ["combat_rewards", "character_location"] as const;

test.each(KINDS)("%s already applied by another job: blocked, with when and by which", async (kind) => {
  const made = await makeLetter(game, { kind });
  const otherJob = randomUUID();
  await game.query(
    "insert into persistence_applied_keys (idempotency_key, retry_job_id, applied_at) values ($1, $2, '2026-01-02T03:04:05Z')",
    [made.key, otherJob],
  );
  const { already_applied } = await find(made.letterId);
  expect(already_applied).toMatchObject({ severity: "block", title: "Already applied at 03:04:05 by another job" });
  expect(already_applied?.reason).toContain("A requeue would write nothing");
  expect(already_applied?.evidence).toContainEqual({ label: "by job", value: otherJob });
});

test.each(KINDS)("%s for a character that does not exist: blocked", async (kind) => {
  const { letterId } = await makeLetter(game, { kind, characterId: randomUUID() });
  expect((await find(letterId)).character_exists).toMatchObject({
    severity: "block",
    title: "The character does not exist",
  });
});

test.each(KINDS)("%s for a character that is in another realm now: blocked, naming both", async (kind) => {
  await makeZone(game, "harbour");
  const characterId = await makeCharacter(game, { realmId: "realm-2" });
  const { letterId } = await makeLetter(game, { kind, characterId });
  const { character_exists } = await find(letterId);
  expect(character_exists).toMatchObject({ severity: "block", title: "The character is in realm-2 now" });
  expect(character_exists?.reason).toContain("saved for realm-1");
});

async function changedSince(kind: WorkOptions["kind"]): Promise<Finding | undefined> {
  const { letterId, characterId } = await makeLetter(game, { kind: kind ?? "combat_rewards" });
  await game.query(
    "update characters set version = version + 2, position_x = 55, changed_at = clock_timestamp() + interval '12 minutes' where character_id = $1",
    [characterId],
  );
  return (await find(letterId)).row_changed;
}

test("newer state under an absolute kind: warned that newer data would be overwritten, with from and to", async () => {
  const found = await changedSince("character_location");
  expect(found).toMatchObject({ severity: "warn", title: "This requeue would overwrite newer data" });
  expect(found?.reason).toContain("2 writes landed after the payload was saved");
  expect(found?.reason).toContain("position.x would go from 55 back to 10");
  expect(found?.acknowledgement).toContain("I checked the diff");
});

test("newer state under an additive kind: warned, and told that it adds and does not overwrite", async () => {
  const found = await changedSince("combat_rewards");
  expect(found?.severity).toBe("warn");
  expect(found?.title).toMatch(/^Character row changed .* after this payload$/);
  expect(found?.whatToDo).toContain("adds to the balance");
});

test.each([
  ["not JSON", "{broken"],
  ["another shape", '{"payload":{"kind":"combat_rewards"}}'],
  [
    "an unknown kind",
    '{"payload":{"kind":"render_tickets"},"session_impact":"None","source":"x","idempotency":{"key":"k","character_version":1,"issued_at":"2026-01-01T00:00:00Z"}}',
  ],
])(
  "a payload that is %s: blocked with what the decoder says, and no finding pretends to know what it would write",
  async (what, payload) => {
    const session = what === "not JSON" ? [] : ["session_active"];
    const { letterId } = await makeLetter(game, { payload });
    const found = await find(letterId);
    expect(found.payload_decodes).toMatchObject({ severity: "block", title: "The payload cannot be decoded" });
    expect(Object.keys(found).toSorted()).toEqual([
      "died_again",
      "engine",
      "kind_healthy",
      "payload_decodes",
      ...session,
      "store_fit",
      "store_fit_redis",
    ]);
  },
);

test("a newer job and a newer letter of the same character and kind: warned, each named", async () => {
  const made = await makeLetter(game);
  const newer = await makeLetter(game, { characterId: made.characterId });
  await makeJob(game, "leased", { characterId: made.characterId });
  await game.query("update persistence_retry_jobs set created_at = clock_timestamp() where character_id = $1", [
    made.characterId,
  ]);
  const { newer_work } = await find(made.letterId);
  expect(newer_work).toMatchObject({
    severity: "warn",
    title: "1 newer job in the queue and 1 newer dead letter of the same character and kind",
  });
  expect(newer_work?.evidence.map((row) => row.href)).toContain(`/dead-letters/persistence-retry/${newer.letterId}`);
});

test("work of another kind or another character is no newer work", async () => {
  const made = await makeLetter(game, { kind: "character_location" });
  await makeLetter(game, { characterId: made.characterId, kind: "combat_rewards" });
  await makeLetter(game, { kind: "character_location" });
  expect((await find(made.letterId)).newer_work?.severity).toBe("ok");
});

test("a requeued letter and an unknown id: blocked, and nothing else is said of them", async () => {
  const made = await makeLetter(game);
  await desk.engine.client().requeueOne(made.letterId, { operationId: randomUUID(), actor: "user-1" });
  expect((await find(made.letterId)).letter_active?.title).toMatch(/^Already requeued at \d\d:\d\d:\d\d$/);
  expect((await find(randomUUID())).letter_active?.title).toBe("This letter is not in the store any more");
});

test("the engine is away: blocked, and what the console can read itself is still said", async () => {
  const { letterId } = await makeLetter(game);
  const found = await find(letterId, { rpc: desk.engine.client("http://127.0.0.1:9") });
  expect(found.engine).toMatchObject({ severity: "block", title: "The engine cannot be reached" });
  expect(found.payload_decodes?.severity).toBe("ok");
  expect(found.no_facts).toBeUndefined();
  for (const code of ["session_active", "kind_healthy", "died_again", "store_fit"]) {
    expect(found[code]?.severity, code).toBe("ok");
  }
});

test("the engine knows another key, or no engine is configured: blocked, each in its own words", async () => {
  const { letterId } = await makeLetter(game);
  const keys = parseRpcKeys(`k9:${randomBytes(32).toString("base64")}`);
  const stranger = createRpcClient({ engineUrl: desk.engine.url, audience: AUDIENCE, keys });
  expect((await find(letterId, { rpc: stranger })).engine).toMatchObject({
    severity: "block",
    title: "The engine refuses this desk",
  });
  expect((await find(letterId, { rpc: null })).engine).toMatchObject({
    severity: "block",
    title: "No engine is configured",
  });
});

test("an engine with the seed's routes only: one warning, no_facts, and no blind click", async () => {
  const { letterId } = await makeLetter(game);
  const seed = await desk.engineWith({ BACKSTOP_ENGINE_ROUTES: "seed" });
  const found = await find(letterId, { rpc: seed.client() });
  expect(found.no_facts).toMatchObject({ severity: "warn", title: "This game server gives no facts" });
  expect(found.no_facts?.acknowledgement).toBeDefined();
  expect(found.engine?.severity).toBe("ok");
});

test("a preflight changes nothing in the game's tables", async () => {
  const { letterId, characterId } = await makeLetter(game);
  const tables = [
    "persistence_retry_jobs",
    "persistence_job_dead_letters",
    "characters",
    "reward_balances",
    "persistence_applied_keys",
    "persistence_retry_operations",
  ];
  const digest = async () =>
    Promise.all(
      tables.map(
        async (table) =>
          (await game.query(`select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as d from ${table} t`))
            .rows[0].d,
      ),
    );
  const before = await digest();
  await find(letterId);
  expect(await digest()).toEqual(before);
  expect(characterId).toBeTruthy();
});

test.each([
  ["kind", "update persistence_job_dead_letters set job_kind = 'character_location' where dead_letter_id = $1"],
  ["character", "update persistence_job_dead_letters set character_id = gen_random_uuid() where dead_letter_id = $1"],
  ["realm", "update persistence_job_dead_letters set realm_id = 'realm-9' where dead_letter_id = $1"],
])("a row that names another %s than its payload: blocked, with both", async (label, change) => {
  const { letterId } = await makeLetter(game);
  await game.query(change, [letterId]);
  const { row_agrees } = await find(letterId);
  expect(row_agrees).toMatchObject({ severity: "block", title: `The row names another ${label} than its payload` });
  expect(row_agrees?.evidence).toHaveLength(2);
});

test("the row that the write refers to is missing: warned that it would fail again", async () => {
  const { letterId } = await makeLetter(game, { zoneId: "sunken-city" });
  const { reference_missing } = await find(letterId);
  expect(reference_missing).toMatchObject({ severity: "warn", title: "Zone sunken-city is not in the catalog" });
});

test("a payload that is ahead of the character's row: warned, never called unchanged", async () => {
  const { letterId } = await makeLetter(game, { version: 999 });
  expect((await find(letterId)).row_changed).toMatchObject({
    severity: "warn",
    title: "The payload is ahead of the character's row",
  });
});
