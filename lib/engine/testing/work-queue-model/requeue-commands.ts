import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { type RequeueAnswer, requeueBatch, requeueOne } from "@/lib/engine/durable/redis-work-queue";
import { command } from "./command";
import { count, type Model, newEntry, nth } from "./model";

/** Ids of letters that are dead, or were. */
const known = (model: Model) => [...model.letters.map(({ id }) => id), ...model.requeued.keys()];

/** One letter, asked for so many times at once: one entry, and the others learn of it. */
const one = fc.record({ letter: fc.nat(20), times: fc.integer({ min: 1, max: 3 }) }).map((pick) =>
  command(
    `requeueOne(${JSON.stringify(pick)})`,
    (model) => known(model).length > 0,
    async (model, { queue }) => {
      const deadLetterId = nth(known(model), pick.letter);
      const asked = Array.from({ length: pick.times }, () => requeueOne(queue, { deadLetterId, actor: "a" }));
      const answers = await Promise.all(asked);
      assert.equal(answers.filter(({ kind }) => kind === "requeued").length, model.requeued.has(deadLetterId) ? 0 : 1);
      for (const answer of answers) {
        if (answer.kind === "requeued") revive(model, answer);
      }
      for (const answer of answers) {
        assert.ok(answer.kind === "requeued" || answer.kind === "already_requeued");
        assert.equal(answer.entryId, model.requeued.get(deadLetterId));
      }
    },
  ),
);

const OPERATIONS = Array.from({ length: 3 }, () => randomUUID());

/** Some letters as part of an operation that may have been asked before, with an expectation. */
const batch = fc
  .record({
    operation: fc.nat(2),
    letters: fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }),
    expect: fc.constantFrom(null, null, null, 1, 2),
    missing: fc.boolean(),
  })
  .map((pick) =>
    command(
      `requeueBatch(${JSON.stringify(pick)})`,
      (model) => known(model).length > 0,
      async (model, { queue }) => {
        const operationId = nth(OPERATIONS, pick.operation);
        const { expect } = pick;
        const ids = [...new Set(pick.letters.map((letter) => nth(known(model), letter)))];
        if (pick.missing) ids.push("no such letter");
        const items = ids.map((deadLetterId) => ({ deadLetterId, expect }));
        const judge = async () =>
          expect === 2 ? { kind: "changed" as const, changed: "it is not 2" } : { kind: "fit" as const };
        const ending = await requeueBatch(queue, { operationId, actor: "a", items, judge });
        const before = ids.map((id) => model.answers.get(`${operationId} ${id}`));
        if (before.some((answered) => answered && answered.expect !== expect)) {
          assert.equal(ending.kind, "operation_mismatch");
          return;
        }
        assert.ok(ending.kind === "answered");
        const found = model.letters.filter(({ id }) => ids.includes(id)).map(({ id }) => id);
        // The oldest letter first, and those that are no letters last: that is the order in which entries come.
        for (const id of [...found, ...ids.filter((each) => !found.includes(each))]) {
          const answer: RequeueAnswer = nth(ending.answers, ids.indexOf(id));
          const answered = model.answers.get(`${operationId} ${id}`);
          if (answered) assert.deepEqual(answer, answered.answer);
          else assert.equal(answer.kind, answerDue(model, id, expect));
          if (!answered && answer.kind === "requeued") revive(model, answer);
          if (!answered && answer.kind === "already_requeued") assert.equal(answer.entryId, model.requeued.get(id));
          model.answers.set(`${operationId} ${id}`, { expect, answer });
        }
      },
    ),
  );

function answerDue(model: Model, id: string, expect: number | null): RequeueAnswer["kind"] {
  if (model.requeued.has(id)) return "already_requeued";
  if (!model.letters.some((letter) => letter.id === id)) return "not_found";
  return expect === 2 ? "changed" : "requeued";
}

/** The letter leaves the list for a fresh entry behind all others. */
function revive(model: Model, { deadLetterId, entryId }: { deadLetterId: string; entryId: string | null }): void {
  const at = model.letters.findIndex(({ id }) => id === deadLetterId);
  const [letter] = model.letters.splice(at, 1);
  assert.ok(at >= 0 && letter && entryId);
  model.requeued.set(deadLetterId, entryId);
  model.pending.push(newEntry(letter.n, entryId, deadLetterId));
  count(model, "requeued");
}

export const requeueCommands = { one, batch };
