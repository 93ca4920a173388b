import { expect, test } from "vitest";
import { archiveNotes } from "./archive-words";

const at = (atMs: number | null, lateMs: number | null) =>
  archiveNotes({ kind: "read", value: [{ queue: "persistence-retry", atMs, lateMs }] });

test("an archive that is up to date has nothing to say, one that is behind says since when", () => {
  expect(at(Date.UTC(2026, 10, 14, 3, 5), 29_999)).toEqual([]);
  expect(at(Date.UTC(2026, 10, 14, 3, 5), 30_000)).toEqual([
    "persistence-retry was last archived at 03:05:00 UTC: letters that died since may be missing here.",
  ]);
});

test("an archive that never caught up, and one of which that cannot be read, are not silent", () => {
  expect(at(null, null)).toEqual(["The letters of persistence-retry are still being archived: not all are here yet."]);
  expect(archiveNotes({ kind: "failed", code: "57014", sentence: "It took too long." })).toEqual([
    "Whether every letter is here could not be told: letters may be missing.",
  ]);
});
