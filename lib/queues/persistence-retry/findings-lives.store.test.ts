import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type FindingDesk, openFindingDesk } from "@/scripts/testing/finding-desk";
import { makeLetter } from "@/scripts/testing/game";
import { SEED_TABLES } from "@/scripts/testing/given-stores";
import { WORK_KINDS } from "@/scripts/testing/kind-bodies";
import { openStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";
import { preflight } from "./preflight";

// What died before after a requeue, and what the write refers to.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let desk: FindingDesk;
beforeAll(async () => {
  desk = await openFindingDesk({
    PERSISTENCE_RETRY_POLL_MILLIS: "100",
    PERSISTENCE_RETRY_BACKOFF_MILLIS: "10",
    PERSISTENCE_RETRY_LIMIT: "2",
  });
});
afterAll(() => desk?.end());

/** Requeues a letter and waits until the worker has made the next one of it. */
async function dieAgain(letterId: string): Promise<string> {
  const answer = await desk.engine.client().requeueOne(letterId, { operationId: randomUUID(), actor: "user-1" });
  if (answer.kind !== "ok") throw new Error(answer.kind);
  let next: string | undefined;
  await until(async () => {
    const { rows } = await desk.game.query(
      "select dead_letter_id as id from persistence_job_dead_letters where retry_job_id = $1",
      [answer.value.retry_job_id],
    );
    next = rows[0]?.id;
    return next !== undefined;
  });
  return next ?? "";
}

test("requeued and died again, once and twice: warned with the count, the last time and the error", async () => {
  const first = await makeLetter(desk.game, { zoneId: "sunken-city", error: "ERROR 40001: could not serialize" });
  expect((await desk.find(first.letterId)).died_again).toMatchObject({ severity: "ok", title: "Not requeued before" });
  const second = await dieAgain(first.letterId);
  const once = (await desk.find(second)).died_again;
  expect(once).toMatchObject({
    severity: "warn",
    title: "This work was requeued once and died again",
    reason: "The last time it died with another error than before.",
    runbook: "died_again",
  });
  expect(once?.evidence.at(-1)?.href).toBe(`/dead-letters/persistence-retry/${first.letterId}`);
  const third = await dieAgain(second);
  expect((await desk.find(third)).died_again).toMatchObject({
    title: "This work was requeued 2 times and died again each time",
    reason: "The last time it died with the same error as before: another requeue alone will not help.",
  });
});

test.each(WORK_KINDS)(
  "a %s letter whose job took its workers with it: warned for good, though nothing else is wrong",
  async (kind) => {
    const made = await makeLetter(desk.game, { kind });
    expect((await desk.find(made.letterId)).poison).toBeUndefined();
    const jobId = randomUUID();
    await desk.game.query(
      `insert into persistence_retry_jobs (retry_job_id, job_kind, character_id, realm_id, zone_id, payload, next_attempt_at,
       created_at, updated_at, lease_token, lease_owner, lease_expires_at, lost_leases)
     select $1, job_kind, character_id, realm_id, zone_id, payload, now(), now(), now(), gen_random_uuid(), 'gone', now(), 2
       from persistence_job_dead_letters where dead_letter_id = $2`,
      [jobId, made.letterId],
    );
    let letterId: string | undefined;
    await until(async () => {
      const text =
        "update persistence_job_dead_letters set dead_lettered_at = now() - interval '1 hour' where retry_job_id = $1 returning dead_letter_id as id";
      letterId = (await desk.game.query(text, [jobId])).rows[0]?.id;
      return letterId !== undefined;
    });
    expect((await desk.find(letterId ?? "")).poison).toMatchObject({
      severity: "warn",
      title: "This payload took its workers with it",
      evidence: [{ label: "error", value: "poison: 3 leases lost without a recorded failure" }],
      acknowledgement: "The engine was mended for this payload, or may be ended by it again.",
      runbook: "poison",
    });
  },
);

test("on the seed's columns alone the chain is found all the same, for many letters at once", async () => {
  const stores = await openStores("bare");
  const game = stores.pool("engine");
  await game.query(SEED_TABLES);
  const letters = await Promise.all(Array.from({ length: 20 }, () => makeLetter(game, { characterId: randomUUID() })));
  const next = await Promise.all(letters.map(({ characterId }) => makeLetter(game, { characterId })));
  for (const [at, { letterId }] of letters.entries()) {
    await game.query(
      "update persistence_job_dead_letters set requeued_at = clock_timestamp(), requeued_retry_job_id = $2 where dead_letter_id = $1",
      [letterId, next[at]?.jobId],
    );
  }
  const sources = { pool: stores.pool("backstop_read"), rpc: null, redis: null, sessionActiveKey: null };
  const found = await preflight(
    sources,
    next.map(({ letterId }) => letterId),
    "user-1",
  );
  await stores.close();
  for (const { findings } of found) {
    const byCode = new Map(findings.map((finding) => [finding.code, finding]));
    expect(byCode.get("died_again")?.title).toBe("This work was requeued once and died again");
    expect(byCode.get("kind_healthy")?.reason).toContain("no counts can be read here");
  }
});

test.each(
  WORK_KINDS.filter((kind) => !["character_appearance", "gameplay_state", "transfer_activation"].includes(kind)),
)("%s whose zone or item left the catalog: warned with the row that is missing", async (kind) => {
  const missing = kind === "character_equipment" ? { label: "item_catalog", value: "lost-helm is missing" } : ZONE;
  const { letterId } = await makeLetter(desk.game, { kind, itemId: "lost-helm", zoneId: "atlantis" });
  await desk.game.query("delete from item_catalog where item_id = 'lost-helm'");
  const { reference_missing } = await desk.find(letterId);
  expect(reference_missing).toMatchObject({ severity: "warn", runbook: "reference_missing" });
  expect(reference_missing?.evidence).toContainEqual(missing);
  expect(reference_missing?.title).toMatch(/^(Zone atlantis|Item lost-helm) is not in the catalog$/);
});
const ZONE = { label: "zone_catalog", value: "atlantis is missing" };

test.each([
  ["active", "The transfer is active already", "A requeue would write nothing: it would end superseded."],
  ["cancelled", "The transfer is cancelled", "It is activated only from pending, so the write would fail again."],
])("a transfer that is %s: warned with what a requeue would come to", async (state, title, reason) => {
  const { letterId, characterId } = await makeLetter(desk.game, { kind: "transfer_activation" });
  expect((await desk.find(letterId)).transfer_state).toMatchObject({ severity: "ok" });
  await desk.game.query(
    "update character_transfers set state = $2, settled_at = clock_timestamp() where character_id = $1",
    [characterId, state],
  );
  const found = await desk.look(letterId);
  expect(found.findings.find(({ code }) => code === "transfer_state")).toMatchObject({
    severity: "warn",
    title,
    reason,
  });
  expect(found.effects?.find(({ field }) => field === "version")).toMatchObject({
    change: "same",
    now: "7",
    after: "7",
  });
});

test("a transfer that does not exist: warned", async () => {
  const { letterId } = await makeLetter(desk.game, { kind: "transfer_activation", transferId: randomUUID() });
  expect((await desk.find(letterId)).transfer_state?.title).toBe("The transfer does not exist");
});
