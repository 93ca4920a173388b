import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ArchivePlace, Queue, RequeueItem } from "./queue";

/** What a queue brings to be tried: itself as the console has it, and its real store to play the game server in. */
export type ContractBench = {
  queue: Queue;
  /** Letters that died one after the other, whose work can be done; their ids in that order. */
  die(count: number): Promise<string[]>;
  /** Letters of which some cannot even be decoded. */
  dieOddly(): Promise<string[]>;
  /** Counted by hand in the store. */
  countDead(): Promise<number>;
  countWaiting(): Promise<number>;
  /** How many jobs have come of a letter, those that are done included. */
  countJobsOf(letterId: string): Promise<number>;
  /** A digest over all that the queue holds. */
  snapshot(): Promise<string>;
  close(): Promise<void>;
};

const ACTOR = "7e9b9d3a-3f5a-4a8e-9a55-000000000001";
const OTHER = "7e9b9d3a-3f5a-4a8e-9a55-000000000002";
const ODD_IDS = ["", "x", "\0", "../../etc", "%00", "a".repeat(5_000), "'; drop table letters; --", "🐉"];

/**
 * What every queue must pass on its real store, before a real engine. Run it from `<queue>/contract.store.test.ts`; what a
 * queue does not have (no archive, no way back) is left out by its own answers.
 */
export function queueContract(name: string, open: () => Promise<ContractBench>): void {
  describe(`${name} keeps the contract of a queue`, () => {
    let bench: ContractBench;
    beforeAll(async () => {
      bench = await open();
    }, 120_000);
    afterAll(() => bench?.close());

    const letters = () => bench.queue.letters ?? expect.fail("it has no letters");
    const archive = () => bench.queue.archive ?? expect.fail("it has no archive");
    const door = () => bench.queue.door ?? expect.fail("it has no door");
    const item = (letterId: string, expected: RequeueItem["expect"] = null) => ({ letterId, expect: expected });
    const press = async (operationId: string, letterId: string, actor = ACTOR) => {
      const ended = await door().requeue(operationId, [item(letterId)], actor, Date.now());
      if (ended.kind !== "answered") throw new Error(JSON.stringify(ended));
      return ended.answers[0];
    };

    const walk = async (limit: number) => {
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const step = await archive().listById(after, { months: 13, limit });
        expect(step.keys.length).toBeLessThanOrEqual(limit);
        seen.push(...step.keys.map(({ letterId }) => letterId));
        after = step.next;
      } while (after !== null);
      return seen;
    };

    test("its depths are what is counted by hand, and a letter more is one more", async () => {
      await bench.die(3);
      const depths = async () => {
        const read = await bench.queue.readDepths();
        return read.kind === "read" ? read.value : expect.fail(JSON.stringify(read));
      };
      const before = await depths();
      expect(before).toMatchObject({ dead: await bench.countDead(), due: await bench.countWaiting() });
      await bench.die(1);
      expect((await depths()).dead).toBe((before.dead ?? 0) + 1);
    });

    test("each letter is found by its id, dead; any other id is nobody's, however odd it is", async () => {
      for (const id of await bench.die(3)) {
        expect(await letters().findLetter(id)).toMatchObject({ id, queue: bench.queue.name, state: "active" });
      }
      for (const id of [randomUUID(), ...ODD_IDS]) expect(await letters().findLetter(id)).toBeNull();
    });

    test("the archive is given every letter once, in the order of death, never more than it asked for", async () => {
      const made = await bench.die(23);
      const seen: string[] = [];
      let place: ArchivePlace | null = null;
      for (;;) {
        const { keys } = await archive().listAfter(place, { months: 13, limit: 10 });
        expect(keys.length).toBeLessThanOrEqual(10);
        seen.push(...keys.map(({ letterId }) => letterId));
        place = keys.at(-1) ?? place;
        if (keys.length < 10) break;
      }
      expect(seen).toHaveLength(await bench.countDead());
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.slice(-23)).toEqual(made);
      expect((await archive().listAfter(place, { months: 13, limit: 10 })).keys).toEqual([]);
      const [next = ""] = await bench.die(1);
      const { keys } = await archive().listAfter(place, { months: 13, limit: 10 });
      expect(keys.map(({ letterId }) => letterId)).toEqual([next]);
    });

    test("the archive's walk comes past every letter, in steps of what it asked for", async () => {
      const made = new Set(await bench.die(13));
      const seen = await walk(5);
      expect(new Set(seen).size).toBe(await bench.countDead());
      expect([...made].filter((id) => !seen.includes(id))).toEqual([]);
    });

    test("letters are read for the archive by their ids, and ids that are nobody's are left out", async () => {
      const ids = await bench.die(2);
      const asked = [...ids, randomUUID(), ...ODD_IDS];
      expect((await archive().findKeys(asked)).map(({ letterId }) => letterId).sort()).toEqual(ids.toSorted());
      const read = await archive().readLetters(asked);
      expect(read.map(({ letterId }) => letterId).sort()).toEqual(ids.toSorted());
      const states = await archive().readStates(asked.map((letterId) => ({ letterId, jobId: null })));
      for (const id of ids) expect(states.get(id)).toEqual({ kind: "dead" });
    });

    test("letters with odd bytes are found, listed, read and judged like any other", async () => {
      const ids = await bench.dieOddly();
      const listed = new Set(await walk(1_000));
      const read = new Map((await archive().readLetters(ids)).map((letter) => [letter.letterId, letter]));
      for (const id of ids) {
        expect(listed).toContain(id);
        const letter = await letters().findLetter(id);
        expect(letter?.payload.bytes).toBe(read.get(id)?.payloadBytes);
      }
      const judged = await door().preflight(ids, ACTOR);
      expect(judged.map(({ letterId }) => letterId)).toEqual(ids);
      for (const { findings } of judged) expect(findings.length).toBeGreaterThan(0);
    });

    test("a preflight writes nothing; one of an id that is nobody's is a block", async () => {
      const [id = ""] = await bench.die(1);
      const before = await bench.snapshot();
      const gone = randomUUID();
      const [found, none] = await door().preflight([id, gone], ACTOR);
      expect(await bench.snapshot()).toEqual(before);
      expect(found?.findings.some(({ severity }) => severity === "block")).toBe(false);
      expect(none).toMatchObject({ letterId: gone, findings: [{ code: "letter_active", severity: "block" }, {}] });
    });

    test("put back through the door a letter gives one job; who comes second gets none, and learns of the first", async () => {
      const [id = ""] = await bench.die(1);
      const dead = await bench.countDead();
      const first = await press(randomUUID(), id);
      expect(first).toMatchObject({ answer: "requeued", dead_letter_id: id });
      const second = await press(randomUUID(), id, OTHER);
      expect(second).toMatchObject({ answer: "already_requeued", dead_letter_id: id, actor: ACTOR });
      expect(await bench.countJobsOf(id)).toBe(1);
      expect(await bench.countDead()).toBe(dead - 1);
    });

    test("the same operation sent again gives its first answer, and nothing else", async () => {
      const [id = ""] = await bench.die(1);
      const operation = randomUUID();
      const answers = [await press(operation, id), await press(operation, id)];
      expect(answers[1]).toEqual(answers[0]);
      expect(await bench.countJobsOf(id)).toBe(1);
    });

    test("an operation is read back by its id; one that never arrived is absent", async () => {
      const [id = ""] = await bench.die(1);
      const operation = randomUUID();
      expect(await door().readBack(operation, [item(id)], ACTOR)).toMatchObject({ kind: "absent" });
      const answer = await press(operation, id);
      expect(await door().readBack(operation, [item(id)], ACTOR)).toMatchObject({
        kind: "answered",
        answers: [answer],
      });
    });

    test("an id that is nobody's is not found, and leaves the letters as they are", async () => {
      const dead = await bench.countDead();
      expect(await press(randomUUID(), randomUUID())).toMatchObject({ answer: "not_found" });
      expect(await bench.countDead()).toBe(dead);
    });

    test("what became of a requeue is told by the door and to the archive alike", async () => {
      const [id = ""] = await bench.die(1);
      const answer = await press(randomUUID(), id);
      const newJobId = answer?.answer === "requeued" ? answer.retry_job_id : expect.fail(JSON.stringify(answer));
      const read = async () => (await door().readOutcomes([{ letterId: id, newJobId }])).get(id);
      let outcome = await read();
      for (let tries = 0; tries < 200 && outcome === undefined; tries += 1) {
        await sleep(50);
        outcome = await read();
      }
      expect(outcome).toMatchObject({ outcome: "recovered" });
      for (let tries = 0; ; tries += 1) {
        const state = (await archive().readStates([{ letterId: id, jobId: newJobId }])).get(id);
        // Whether it has left the store may not be known at once.
        if (state === undefined && tries < 200) {
          await sleep(50);
          continue;
        }
        expect(state).toMatchObject({ kind: "requeued", jobId: newJobId, outcome: { outcome: "recovered" } });
        break;
      }
    });
  });
}
