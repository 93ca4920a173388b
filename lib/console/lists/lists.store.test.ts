import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readJobs } from "@/lib/console/lists/read-jobs";
import { findQueue } from "@/lib/queues";
import type { Page, Queue } from "@/lib/queues/queue";
import { makeFixedWorld } from "@/scripts/testing/fixed-world";
import { openStores, type TestStores } from "@/scripts/testing/stores";

let stores: TestStores;
let queue: Queue;

function queueOf({ pool }: TestStores): Queue {
  const found = findQueue("persistence-retry", { game: pool("backstop_read"), redis: null, rpc: null });
  if (!found) throw new Error("the queue is missing");
  return found;
}

beforeAll(async () => {
  stores = await openStores();
  await makeFixedWorld(stores.pool("engine"));
  queue = queueOf(stores);
});
afterAll(() => stores.close());

/** Every id of a list, page by page, and then the same way back. */
async function walk<T extends { id: string }>(read: (place: { after?: string; before?: string }) => Promise<Page<T>>) {
  const there: string[] = [];
  let page = await read({});
  for (;;) {
    there.push(...page.rows.map(({ id }) => id));
    if (page.next === null) break;
    page = await read({ after: page.next });
  }
  const back = page.rows.map(({ id }) => id);
  while (page.previous !== null) {
    page = await read({ before: page.previous });
    back.unshift(...page.rows.map(({ id }) => id));
  }
  return { there, back };
}

describe("a list that is paged through", () => {
  it("shows each job once, there and back, oldest first", async () => {
    const { there, back } = await walk(async (place) => {
      const { page } = await readJobs(queue, {}, { ...place, limit: 3 });
      if (page.kind !== "read") throw new Error(page.sentence);
      return page.value;
    });
    const { rows } = await stores
      .pool("backstop_read")
      .query("select retry_job_id::text as id from persistence_retry_jobs order by created_at, retry_job_id");
    expect(there).toEqual(rows.map(({ id }) => id));
    expect(back).toEqual(there);
  });
});

describe("a filter that matches nothing", () => {
  it("counts jobs in the states that are asked for", async () => {
    const { counts, widened } = await readJobs(queue, { states: ["expired"], owner: "nobody" }, { limit: 10 });
    expect(Object.values(counts ?? {}).every(({ count }) => count === 0)).toBe(true);
    expect(widened).toEqual([
      { without: "states", count: 0, capped: false },
      { without: "owner", count: 2, capped: false },
    ]);
  });

  it("is not asked about while something matches", async () => {
    const { widened } = await readJobs(queue, { kind: "combat_rewards" }, { limit: 1 });
    expect(widened).toEqual([]);
  });
});

it("a store without the tables is a sentence, and takes nothing else with it", async () => {
  const bare = await openStores("bare");
  try {
    const nothing = queueOf(bare);
    expect((await readJobs(nothing, {}, { limit: 10 })).page.kind).toBe("failed");
  } finally {
    await bare.close();
  }
});
