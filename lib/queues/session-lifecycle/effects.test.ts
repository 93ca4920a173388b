import { expect, test } from "vitest";
import type { JournalFacts } from "@/lib/internal-rpc/journal-wire";
import { effectsOf } from "./effects";

const STEP = { step: "persist_location", does: "does", why: null } as const;
const ZONE = { field: "zone_id", payload: "harbour", now: "embergate", after: "harbour", change: "changes" };

test("a location that would be written stands field by field below its step; one that would not is compared with nothing", () => {
  const facts = { steps: [STEP], fields: [ZONE], resume_ledger: null, presence: null } as unknown as JournalFacts;
  expect(effectsOf(facts)).toMatchObject([
    { field: "location", now: "field by field below", after: "persisted", change: "writes" },
    { field: "zone_id", now: "embergate", after: "harbour", change: "writes" },
  ]);
  const skipped = { ...facts, steps: [{ ...STEP, does: "skips", why: "the session is active again" }], fields: [] };
  expect(effectsOf(skipped as unknown as JournalFacts)).toEqual([
    {
      field: "location",
      payload: "persist location",
      now: "not compared",
      after: "left as it is",
      note: "the session is active again",
      change: "same",
    },
  ]);
});
