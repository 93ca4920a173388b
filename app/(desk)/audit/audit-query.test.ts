import { expect, test } from "vitest";
import { queryString } from "@/components/ui/query";
import type { Who } from "@/lib/auth/role";
import { encodeCursor } from "@/lib/queues/cursor";
import { auditFilter, readAuditQuery } from "./audit-query";

const NOW_MS = Date.UTC(2026, 10, 14, 4);
const maya: Who = {
  userId: "u-1",
  username: "maya",
  displayName: "Maya",
  role: "viewer",
  reveal: false,
  queues: null,
};

test("an address becomes a filter, and the same address again", () => {
  const after = encodeCursor("2026-11-14 03:41:07.123456+00", "17");
  const asked = readAuditQuery({ time: "1h", who: "u-1", action: "requeue", phase: "refusal", target: "l-1", after });
  expect(auditFilter(asked, NOW_MS, maya)).toEqual({
    fromMs: NOW_MS - 3_600_000,
    who: "u-1",
    action: "requeue",
    phase: "refusal",
    target: "l-1",
  });
  expect(asked.notes).toEqual([]);
  expect(queryString(asked.query)).toBe(`?time=1h&who=u-1&action=requeue&phase=refusal&target=l-1&after=${after}`);
});

test("what cannot be used is left out, with a sentence each", () => {
  const odd = encodeCursor("2026-11-14 03:41:07.123456+00", "not a number");
  const asked = readAuditQuery({ time: "soon", phase: "wish", target: "a\u0000", after: odd });
  expect(queryString(asked.query)).toBe("");
  expect(asked.notes).toHaveLength(4);
});

test("who is limited to queues asks within them", () => {
  const limited = { ...maya, queues: ["persistence-retry"] };
  expect(auditFilter(readAuditQuery({}), NOW_MS, limited).within).toEqual({
    queues: ["persistence-retry"],
    userId: "u-1",
  });
});
