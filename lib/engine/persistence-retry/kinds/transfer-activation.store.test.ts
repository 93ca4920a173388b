import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requeueOne } from "@/lib/engine/persistence-retry";
import { claimSignaled } from "@/lib/engine/persistence-retry/claim";
import { createCounters } from "@/lib/engine/persistence-retry/counters";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { persistDirectly } from "@/lib/engine/persistence-retry/persist";
import { persistRetryJobBestEffort } from "@/lib/engine/persistence-retry/persist-retry-job";
import { effectState } from "@/lib/engine/testing/effect-state";
import { insertLetter, newCharacter, newTransfer, newZone, transferJob } from "@/lib/engine/testing/maker";
import { overlapping, untilBlocked } from "@/scripts/testing/forced-race";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { transferActivation } from "./transfer-activation";

const SETTINGS = {
  leaseMs: 30_000,
  pollMs: 50,
  batchMax: 128,
  attemptsMax: 3,
  backoffMs: 10,
  backoffCapMs: 10,
  transactionTimeoutMs: 8_000,
  leaseMarginMs: 2_000,
};

let stores: TestStores;
let pool: pg.Pool;
beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("engine", 6);
});
afterAll(() => stores.close());

const write = (job: PersistenceRetryJob, id = randomUUID()) => persistDirectly({ pool }, id, job);
const effects = async ({ payload }: PersistenceRetryJob) => {
  if (payload.kind !== "transfer_activation") throw new Error(payload.kind);
  const rows = await transferActivation.effects(pool, payload);
  return Object.fromEntries(rows.map(({ field, payload: _said, ...row }) => [field, row]));
};
const ledger = async (job: PersistenceRetryJob) =>
  (
    await pool.query("select retry_job_id from persistence_applied_keys where idempotency_key = $1", [
      job.idempotency.key,
    ])
  ).rows;

async function given(state: "pending" | "active" | "cancelled") {
  const person = await newCharacter(pool);
  const zoneId = await newZone(pool);
  const transferId = await newTransfer(pool, person, zoneId, state);
  return { person, zoneId, transferId, job: transferJob(person, transferId, { zoneId }) };
}

test("from pending: the transfer is active and the character is in the target zone, in one version", async () => {
  const { person, zoneId, job } = await given("pending");
  expect(await effects(job)).toMatchObject({
    "transfer.state": { now: "pending", after: "active", change: "sets" },
    zone_id: { now: person.zoneId, after: zoneId, change: "sets" },
  });
  expect(await write(job)).toBe("applied");
  expect(await effectState(pool, person.characterId)).toMatchObject({
    characters: [{ version: "8", zone_id: zoneId, position_x: "1.5" }],
    character_transfers: [{ state: "active" }],
  });
  const { rows } = await pool.query("select settled_at > requested_at as settled from character_transfers");
  expect(rows).toEqual([{ settled: true }]);
});

test("active already: superseded, nothing is written, and the ledger does not say that it was", async () => {
  const { person, job } = await given("active");
  const before = await effectState(pool, person.characterId);
  expect(await effects(job)).toMatchObject({
    "transfer.state": { now: "active", after: null, change: "same" },
    zone_id: { now: person.zoneId, after: person.zoneId, change: "same" },
  });
  const id = randomUUID();
  // Each delivery says the same, also to the job that came first.
  for (const _delivery of ["first", "second"]) expect(await write(job, id)).toBe("superseded");
  expect(await effectState(pool, person.characterId)).toEqual(before);
  expect(await ledger(job)).toEqual([]);
});

test("active already, from a letter: the requeued job is settled as superseded", async () => {
  const { person, job } = await given("active");
  const before = await effectState(pool, person.characterId);
  const requeued = await requeueOne(pool, { deadLetterId: await insertLetter(pool, job), actor: "a" });
  if (requeued.kind !== "requeued") throw new Error(requeued.kind);
  const claim = await claimSignaled(pool, [requeued.retryJobId], { worker: "w", leaseMs: 30_000, rowsMax: 1 });
  const deps = { pool, settings: SETTINGS, counters: createCounters() };
  for (const claimed of claim.jobs) {
    expect(await persistRetryJobBestEffort(deps, claim, claimed)).toBe("done");
  }
  const { rows } = await pool.query("select outcome from persistence_retry_outcomes where retry_job_id = $1", [
    requeued.retryJobId,
  ]);
  expect(rows).toEqual([{ outcome: "superseded" }]);
  expect(await effectState(pool, person.characterId)).toEqual(before);
});

test("cancelled: it fails in words and nothing is written", async () => {
  const { person, transferId, job } = await given("cancelled");
  const before = await effectState(pool, person.characterId);
  expect(await effects(job)).toMatchObject({ "transfer.state": { now: "cancelled", after: null, change: "sets" } });
  await expect(write(job)).rejects.toThrow(
    `NOT PENDING: transfer ${transferId} of character ${person.characterId} is cancelled`,
  );
  expect(await effectState(pool, person.characterId)).toEqual(before);
  expect(await ledger(job)).toEqual([]);
});

test("missing, another character's, or to another zone: it fails in words and nothing is written", async () => {
  const { person, zoneId, transferId } = await given("pending");
  const other = await newCharacter(pool);
  const before = [await effectState(pool, person.characterId), await effectState(pool, other.characterId)];
  for (const job of [
    transferJob(person, randomUUID(), { zoneId }),
    transferJob(other, transferId, { zoneId }),
    transferJob(person, transferId, { zoneId: other.zoneId }),
  ]) {
    expect(await effects(job)).toMatchObject({ "transfer.state": { now: null, after: null } });
    await expect(write(job)).rejects.toThrow(/^NOT FOUND: no transfer .* of character .* to zone "zone_/);
  }
  expect([await effectState(pool, person.characterId), await effectState(pool, other.characterId)]).toEqual(before);
});

test("two jobs that race for one pending transfer: it is activated once, the other is superseded", async () => {
  const { person, zoneId, transferId } = await given("pending");
  const jobs = Array.from({ length: 4 }, () => transferJob(person, transferId, { zoneId }));
  for (const table of ["characters", "character_transfers"]) {
    await pool.query("update character_transfers set state = 'pending', settled_at = null where transfer_id = $1", [
      transferId,
    ]);
    const { version } = (await effectState(pool, person.characterId)).characters[0] ?? {};
    const lock = { text: `select 1 from ${table} where character_id = $1 for update`, values: [person.characterId] };
    const settled = await overlapping(
      pool,
      lock,
      jobs.map(({ payload, ...job }) => {
        const idempotency = { ...job.idempotency, key: randomUUID() };
        return () => write({ ...job, payload, idempotency });
      }),
    );
    const endings = settled.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason)));
    expect(endings.sort()).toEqual(["applied", "superseded", "superseded", "superseded"]);
    const after = await effectState(pool, person.characterId);
    expect(after.characters).toMatchObject([{ zone_id: zoneId, version: String(BigInt(version ?? "0") + 1n) }]);
    expect(after.character_transfers).toMatchObject([{ state: "active" }]);
  }
});

test("a cancellation that comes first, while the activation waits for its row, stands", async () => {
  const { person, transferId, job } = await given("pending");
  const holder = await pool.connect();
  try {
    await holder.query("begin");
    await holder.query(
      "update character_transfers set state = 'cancelled', settled_at = clock_timestamp() where transfer_id = $1",
      [transferId],
    );
    const writing = write(job).catch((error: Error) => error.message);
    await untilBlocked(holder, 1);
    await holder.query("commit");
    expect(await writing).toMatch(/^NOT PENDING: .* is cancelled$/);
  } finally {
    holder.release();
  }
  expect(await effectState(pool, person.characterId)).toMatchObject({
    characters: [{ version: "7", zone_id: person.zoneId }],
    character_transfers: [{ state: "cancelled" }],
  });
});
