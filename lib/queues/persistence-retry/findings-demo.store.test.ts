import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type FindingDesk, openFindingDesk } from "@/scripts/testing/finding-desk";
import { until } from "@/scripts/testing/until";

// The demo's own break and mend, with its own backoffs: what a newcomer sees on a letter before and after the fix.

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const DEMO = {
  BACKSTOP_DEMO: "1",
  PERSISTENCE_RETRY_LIMIT: "",
  PERSISTENCE_RETRY_BACKOFF_MILLIS: "",
  PERSISTENCE_RETRY_BACKOFF_CAP_MILLIS: "",
  PERSISTENCE_RETRY_POLL_MILLIS: "",
};

let desk: FindingDesk;
beforeAll(async () => {
  desk = await openFindingDesk(DEMO);
});
afterAll(() => desk?.end());

async function newestLetter(): Promise<string | undefined> {
  const { rows } = await desk.game.query(
    "select dead_letter_id as id from persistence_job_dead_letters where job_kind = 'combat_rewards' order by dead_lettered_at desc limit 1",
  );
  return rows[0]?.id;
}

async function warnings(letterId: string): Promise<string[]> {
  const { findings } = await desk.look(letterId);
  return findings.filter(({ severity }) => severity === "warn" || severity === "block").map(({ code }) => code);
}

test("while the demo is broken a letter warns of its cause; seconds after the mend nothing stands before one click", async () => {
  await until(async () => (await newestLetter()) !== undefined, 90_000);
  const letterId = (await newestLetter()) ?? "";
  expect((await warnings(letterId)).toSorted()).toEqual(["cause_present", "reference_missing"]);
  await desk.engine.client().demo.mendCatalog("user-1");
  const mendedMs = performance.now();
  await until(async () => (await warnings(letterId)).length === 0, 20_000);
  expect(performance.now() - mendedMs).toBeLessThan(12_000);
});
