import { expect, test } from "vitest";
import { NOTE_MAX } from "./note";
import { NoteBody } from "./note-body";

test("a note of which nothing would be seen is none, and one of a single sign of any script is one", () => {
  for (const body of ["", "  \n ", "\u3164\u200b\u200b\u3164", "\u2800", "\u202e\u0301"])
    expect([body, NoteBody.safeParse(body).success]).toEqual([body, false]);
  for (const body of ["x", "é", "错", "🐉", "x".repeat(NOTE_MAX)]) expect(NoteBody.safeParse(body).success).toBe(true);
  expect(NoteBody.safeParse("x".repeat(NOTE_MAX + 1)).success).toBe(false);
});
