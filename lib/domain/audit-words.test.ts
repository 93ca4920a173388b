import { describe, expect, test } from "vitest";
import { auditDetail, auditTarget, auditWho } from "./audit-words";

const NOTHING = { target: {}, acknowledged: [], outcome: null, detail: null, operationId: null };

describe("a row of the audit in words", () => {
  test.each([
    [{ phase: "refusal", action: "requeue", outcome: "needs_operator" }, "refused: needs the operator role"],
    [
      { phase: "refusal", action: "requeue", outcome: "blocked", detail: { blocks: ["already_applied"] } },
      "refused: blocked (already applied)",
    ],
    [{ phase: "intent", action: "requeue", acknowledged: ["a", "b"] }, "intended, 2 warnings acknowledged"],
    [{ phase: "outcome", action: "requeue", outcome: "requeued", detail: { newJobId: "j-1" } }, "requeued, as job j-1"],
    [
      { phase: "outcome", action: "resolve", outcome: "done", detail: { changed: 1_180, left: ["x"] } },
      "done, 1,180 letters changed, 1 letter left",
    ],
    [{ phase: "outcome", action: "note", outcome: "added", detail: { body: "=1+1" } }, "=1+1"],
    [{ phase: "outcome", action: "sign_in" }, ""],
  ] as const)("%j", (row, said) => {
    expect(auditDetail({ ...NOTHING, ...row } as Parameters<typeof auditDetail>[0])).toBe(said);
  });

  test.each([
    [{ queue: "q", letterId: "0193a7f2-0000-7000-8000-0000000d6d80" }, "0193a7f2…6d80", "/dead-letters/q/"],
    [{ queue: "q", letterIds: ["a b"] }, "a b", "/dead-letters/q/a%20b"],
    [{ queue: "q", letterIds: ["a", "b"] }, "2 letters", null],
    [{ group: "12", note: "4" }, "error 12", "/dead-letters/groups/12"],
    [{ group: "../evil" }, "../evil", null],
    [{ demo: "catalog" }, "catalog", null],
    [{ userId: "abb88f6e-0000-4000-8000-00000000109f", username: "maya" }, "maya", "/users?user=abb88f6e-0000-"],
    [{ userId: "abb88f6e-0000-4000-8000-00000000109f" }, "abb88f6e…109f", null],
  ])("its target %j", (target, said, href) => {
    const told = auditTarget(target);
    expect(told?.text).toBe(said);
    if (href === null) expect(told?.href).toBeNull();
    else expect(told?.href).toContain(href);
  });

  test("an account is told by its name, and its whole id is the tip", () =>
    expect(auditTarget({ userId: "a b", username: "maya" })).toEqual({
      text: "maya",
      whole: "a b",
      href: "/users?user=a%20b",
    }));

  test("who worked from a shell stands under the stored name, and only the system itself as the system", () => {
    const shell = { id: "system", name: "command line (root)", role: "system" };
    expect(auditWho(shell)).toEqual({ name: "command line (root)", system: false });
    expect(auditWho({ id: "system", name: "system", role: "system" })).toEqual({ name: "System", system: true });
    expect(auditWho({ id: "u", name: "system", role: "operator" })).toEqual({ name: "system", system: false });
  });

  test("nothing was done to anything", () => expect(auditTarget({ left: [] })).toBeNull());
});
