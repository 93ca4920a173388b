import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Operator, openDesk, type TestDesk } from "@/scripts/testing/desk";
import { startEngine, type TestEngine } from "@/scripts/testing/engine";
import { overlapping } from "@/scripts/testing/forced-race";
import { type Made, makeLetter, whereabouts } from "@/scripts/testing/game";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";
import { followOutcomes } from "./follow";
import { recordResult } from "./record";
import { readOperation } from "./view";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stores: TestStores;
let game: Pool;
let engine: TestEngine;
let desk: TestDesk;
let maya: Operator;
beforeAll(async () => {
  stores = await openStores();
  game = stores.pool("engine", 2);
  engine = await startEngine(stores);
  desk = openDesk(stores, engine);
  maya = await desk.operator("Maya");
});
afterAll(async () => {
  await engine.end();
  await stores.close();
});

async function audited(operationId: string): Promise<unknown[]> {
  const text = "select phase, outcome from backstop.audit where operation_id = $1 order by audit_id";
  return (await desk.own.query(text, [operationId])).rows;
}
/** A letter that was requeued and whose job is done in the store; nobody has followed it yet. */
async function requeued(): Promise<{ letter: Made; operationId: string }> {
  const letter = await makeLetter(game);
  const { operationId } = await desk.plan(letter.letterId, maya);
  expect(await desk.press(operationId, maya)).toMatchObject({ kind: "sent", view: { answer: "requeued" } });
  await until(async () => (await whereabouts(game, letter)).applied === 1);
  return { letter, operationId };
}

test("a plan that is blocked is blocked at the click, too: nothing is sent, and the refusal is on record", async () => {
  const letter = await makeLetter(game, { characterId: randomUUID() });
  const { operationId } = await desk.plan(letter.letterId, maya);
  expect(await desk.press(operationId, maya)).toEqual({ kind: "blocked", blocks: ["character_exists"] });
  expect(await audited(operationId)).toEqual([{ phase: "refusal", outcome: "blocked" }]);
  expect(await whereabouts(game, letter)).toMatchObject({ live: 0, dead: 1 });
});

test("an ending that comes after another changes nothing: not the operation, not its item, and no audit row", async () => {
  const { letter, operationId } = await requeued();
  const before = [await readOperation(desk.own, operationId), await audited(operationId)];
  const ending = {
    operationId,
    queue: "persistence-retry",
    letterId: letter.letterId,
    planHash: "",
    actor: { id: maya.userId, name: "Maya", role: "operator" },
  };
  for (const late of ["not_sent", "unknown"] as const) {
    expect(await recordResult(desk.own, ending, { kind: late, code: "late", sentence: "Late." })).toBe(false);
  }
  const after = [await readOperation(desk.own, operationId), await audited(operationId)];
  const still = ({ atMs: _now, ...view }: Record<string, unknown>) => view;
  expect([still(after[0] as never), after[1]]).toEqual([still(before[0] as never), before[1]]);
});

test("two keepers that follow at the same moment learn an outcome once", async () => {
  // What the test before this one left is followed first.
  await followOutcomes(desk.own, () => desk.queue.door);
  const { operationId } = await requeued();
  const held = "select 1 from backstop.operation_items where operation_id = $1 for update";
  const follow = () => followOutcomes(desk.own, () => desk.queue.door);
  const ended = await overlapping(stores.pool("postgres", 2), { text: held, values: [operationId] }, [follow, follow]);
  const known = ended.map((one) => (one.status === "fulfilled" ? one.value : String(one.reason)));
  expect(known.toSorted()).toEqual([0, 1]);
  expect((await readOperation(desk.own, operationId)).outcome).toBe("recovered");
});
