import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type FindingDesk, openFindingDesk } from "@/scripts/testing/finding-desk";
import { makeLetter } from "@/scripts/testing/game";
import { WORK_KINDS } from "@/scripts/testing/kind-bodies";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let desk: FindingDesk;
beforeAll(async () => {
  desk = await openFindingDesk();
});
afterAll(() => desk?.end());

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test("how far the ledger reaches back is shown with 'not applied', when it is empty too", async () => {
  await desk.game.query("truncate persistence_applied_keys");
  const { letterId } = await makeLetter(desk.game);
  const empty = (await desk.find(letterId)).already_applied;
  expect(empty).toMatchObject({ severity: "ok", title: "Idempotency key not applied" });
  expect(empty?.evidence).toEqual([{ label: "ledger", value: "it is empty; keys are kept 90 days" }]);
  await desk.game.query(
    "insert into persistence_applied_keys (idempotency_key, retry_job_id, applied_at) values ('old', gen_random_uuid(), '2026-11-02T03:04:05Z')",
  );
  expect((await desk.find(letterId)).already_applied?.evidence[0]?.value).toMatch(
    /^reaches back to .*2026.*03:04:05.*; keys are kept 90 days$/,
  );
});

test.each(WORK_KINDS)(
  "a %s write that is older than keys are kept: warned that it may have been applied",
  async (kind) => {
    const old = await makeLetter(desk.game, { kind, issuedAt: daysAgo(91) });
    expect((await desk.find(old.letterId)).already_applied).toMatchObject({
      severity: "warn",
      title: "This write is older than the ledger of applied keys",
      acknowledgement: "This write may have been applied before. I checked the diff.",
    });
    const within = await makeLetter(desk.game, { kind, issuedAt: daysAgo(89) });
    expect((await desk.find(within.letterId)).already_applied).toMatchObject({ severity: "ok" });
  },
);
