import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { requeueBatch, requeueOne } from "@/lib/engine/persistence-retry";
import { command } from "./command";
import { type Model, nth, revive, versionOf } from "./model";

/** One letter, asked for so many times at once: one job, and the others learn of it. */
const one = fc.record({ letter: fc.nat(20), times: fc.integer({ min: 1, max: 3 }) }).map(({ letter: pick, times }) =>
  command(
    `requeueOne(${pick}, ${times})`,
    (model) => model.letters.length > 0,
    async (model, { pool }) => {
      const letter = nth(model.letters, pick);
      const ask = { deadLetterId: letter.id, actor: "a" };
      const endings = await Promise.all(Array.from({ length: times }, () => requeueOne(pool, ask)));
      const jobs = new Set(endings.map((ending) => ("retryJobId" in ending ? ending.retryJobId : ending.kind)));
      assert.equal(jobs.size, 1);
      const made = endings.filter(({ kind }) => kind === "requeued");
      assert.equal(made.length, letter.into === null ? 1 : 0);
      const [job] = [...jobs];
      if (letter.into === null) revive(model, letter, job ?? "");
      else assert.equal(job, letter.into);
    },
  ),
);

const OPERATIONS = Array.from({ length: 3 }, () => randomUUID());

type Pick = { operation: number; letters: number[]; expects: "nothing" | "what is" | "what was" };

/** Some letters as part of an operation that may have been asked before, with what is expected of the character. */
const batch = fc
  .record<Pick>({
    operation: fc.nat(2),
    letters: fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }),
    expects: fc.constantFrom("nothing", "nothing", "what is", "what was"),
  })
  .map((pick) =>
    command(
      `requeueBatch(${JSON.stringify(pick)})`,
      (model) => model.letters.length > 0,
      async (model, { pool }) => {
        const operationId = nth(OPERATIONS, pick.operation);
        const expect = pick.expects === "nothing" ? null : pick.expects === "what is" ? versionOf(model) : "6";
        const letters = [...new Set(pick.letters.map((letter) => nth(model.letters, letter)))];
        const items = letters.map(({ id }) => ({
          dead_letter_id: id,
          expect: expect === null ? undefined : { character_version: expect },
        }));
        const ending = await requeueBatch(pool, { operationId, actor: "a", items });
        const before = letters.map(({ id }) => model.answers.get(`${operationId} ${id}`));
        if (before.some((known) => known && known.expect !== expect)) {
          assert.equal(ending.kind, "operation_mismatch");
          return;
        }
        assert.equal(ending.kind, "answered");
        const answers = ending.kind === "answered" ? ending.answers : [];
        // Letters are taken in the order of their ids, and become due in it.
        for (const letter of [...letters].sort((a, b) => (a.id < b.id ? -1 : 1))) {
          const answer = nth(answers, letters.indexOf(letter));
          const known = model.answers.get(`${operationId} ${letter.id}`);
          if (known) assert.deepEqual(answer, known.answer);
          else assert.equal(answer.answer, answerDue(model, letter, expect));
          if (!known && answer.answer === "requeued") revive(model, letter, answer.retry_job_id);
          if (!known && answer.answer === "already_requeued") assert.equal(answer.retry_job_id, letter.into);
          model.answers.set(`${operationId} ${letter.id}`, { expect, answer });
        }
      },
    ),
  );

function answerDue(model: Model, letter: Model["letters"][number], expect: string | null) {
  if (letter.into !== null) return "already_requeued";
  return expect === null || expect === versionOf(model) ? "requeued" : "changed";
}

export const requeueCommands = { one, batch };
