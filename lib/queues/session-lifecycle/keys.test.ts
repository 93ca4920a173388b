import { afterEach, expect, test, vi } from "vitest";
import { parseConfig } from "@/lib/config";
import { parseEngineConfig } from "@/lib/config-engine";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const DESK = { BACKSTOP_DATABASE_URL: "postgresql://x@y/z", BACKSTOP_SECRET: "s".repeat(24) };
const ENGINE = {
  BACKSTOP_ENGINE_DATABASE_URL: "postgresql://x@y/z",
  BACKSTOP_ENGINE_REDIS_URL: "redis://y",
  BACKSTOP_KEY_SESSION_ACTIVE: "a:<token>",
  BACKSTOP_KEY_SESSION_RESUME: "r:<token>",
  BACKSTOP_KEY_PRESENCE: "p:<character_id>",
};

test("desk and engine look for the journal where they are told, and where nothing is said in the same place", async () => {
  const usual = await import("./keys");
  expect(usual.JOURNAL_KEYS.pending).toBe("{session_lifecycle}:journal:pending");
  const { journalQueue } = await import("@/lib/engine/session-lifecycle/journal-queue");
  const redis = {} as Parameters<typeof journalQueue>[0];
  expect(journalQueue(redis, parseEngineConfig(ENGINE).journal?.prefix).keys.pending).toBe(usual.JOURNAL_KEYS.pending);

  vi.stubEnv("BACKSTOP_KEY_JOURNAL", "{aether}:journal");
  vi.resetModules();
  const { JOURNAL_KEYS } = await import("./keys");
  expect(JOURNAL_KEYS.processingOf("a")).toBe("{aether}:journal:processing:a");
  const told = parseEngineConfig({ ...ENGINE, BACKSTOP_KEY_JOURNAL: "{aether}:journal" }).journal;
  expect(journalQueue(redis, told?.prefix).keys.processingOf("a")).toBe(JOURNAL_KEYS.processingOf("a"));
});

test.each(["journal", "{}:journal", "{a}:{b}", "{a b}", `{a}${"x".repeat(200)}`])(
  "a place without one hash tag (%s) is refused at the start",
  (place) => {
    expect(() => parseConfig({ ...DESK, BACKSTOP_KEY_JOURNAL: place })).toThrow(/BACKSTOP_KEY_JOURNAL/);
    expect(() => parseEngineConfig({ ...ENGINE, BACKSTOP_KEY_JOURNAL: place })).toThrow(/BACKSTOP_KEY_JOURNAL/);
  },
);
