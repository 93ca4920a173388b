import { expect, it } from "vitest";
import type { ListedEntry, ListWindow } from "@/lib/domain/list-state";
import { windowPages } from "./window-pages";

const entry = (place: number) => ({ place }) as ListedEntry;
const windowOf = (from: number, count: number, length: number): ListWindow => ({
  atMs: 0,
  length,
  entries: Array.from({ length: count }, (_, n) => entry(from + n)),
  cut: false,
});
const pages = (list: "pending" | "dead_letter", at: number | null, window: ListWindow) =>
  windowPages({ path: "/lists", query: { list }, list, at, window });

it("entries go from what is taken first to what came last", () => {
  expect(pages("pending", null, windowOf(0, 100, 250))).toEqual({
    first: null,
    previous: null,
    next: "/lists?list=pending&at=100",
    label: "1 to 100 of 250, counted from the oldest",
  });
  expect(pages("pending", 200, windowOf(200, 50, 250))).toMatchObject({
    first: "/lists?list=pending",
    previous: "/lists?list=pending&at=100",
    next: null,
  });
});

it("dead letters go from the newest to the oldest", () => {
  const { previous, next } = pages("dead_letter", null, windowOf(150, 100, 250));
  expect([previous, next]).toEqual([null, "/lists?list=dead_letter&at=50"]);
  expect(pages("dead_letter", 0, windowOf(0, 100, 250))).toMatchObject({
    previous: "/lists?list=dead_letter&at=100",
    next: null,
  });
});

it("behind the end of a list there is a way back to it", () => {
  expect(pages("pending", 900, windowOf(0, 0, 250))).toMatchObject({
    first: "/lists?list=pending",
    previous: "/lists?list=pending&at=800",
    label: "none of 250 here",
  });
});
