import { expect, test } from "vitest";
import { gateOf, stillNeeded, worsened } from "./gate";
import type { Finding, Severity } from "./preflight";

const finding = (code: string, severity: Severity): Finding => ({ code, severity, title: code, evidence: [] });

test("a block cannot be clicked away, whatever else was acknowledged", () => {
  const gate = gateOf([finding("a", "block"), finding("b", "warn")]);
  expect(gate.kind).toBe("blocked");
  expect(stillNeeded(gate, ["a", "b"], "a long enough reason")).not.toEqual([]);
});

test("a letter without warnings goes in one click, without a reason", () => {
  expect(stillNeeded(gateOf([finding("a", "ok"), finding("b", "not_configured")]), [], "")).toEqual([]);
});

test("each warning and each unknown is acknowledged by itself, and then a reason of ten characters is due", () => {
  const gate = gateOf([finding("a", "warn"), finding("b", "unknown"), finding("c", "ok")]);
  expect(stillNeeded(gate, [], "")).toEqual([
    "acknowledge 2 warnings",
    "give a reason of at least 10 characters, spaces not counted",
  ]);
  expect(stillNeeded(gate, ["a"], "a long enough reason")).toEqual(["acknowledge 1 warning"]);
  for (const unseen of ["         x", "\u3164\u200b".repeat(10), "123456789 \u2800\u0301"])
    expect(stillNeeded(gate, ["a", "b"], unseen)).toEqual([
      "give a reason of at least 10 characters, spaces not counted",
    ]);
  expect(stillNeeded(gate, ["a", "b", "unrelated"], "a long enough reason")).toEqual([]);
});

test("a finding that is new or worse than the operator saw stops the click; a better one does not", () => {
  const seen = [finding("a", "ok"), finding("b", "warn"), finding("c", "block")];
  expect(worsened(seen, [finding("a", "ok"), finding("b", "ok"), finding("c", "warn")])).toEqual([]);
  expect(worsened(seen, [finding("a", "warn")]).map((found) => found.code)).toEqual(["a"]);
  expect(worsened(seen, [finding("b", "block")]).map((found) => found.code)).toEqual(["b"]);
  expect(worsened(seen, [finding("d", "unknown")]).map((found) => found.code)).toEqual(["d"]);
  expect(worsened(seen, [finding("d", "ok")])).toEqual([]);
});
