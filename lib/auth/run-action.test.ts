import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Need } from "@/lib/auth/declared";
import type { OriginVerdict } from "@/lib/auth/origin";
import { ROLES, type Role, type Who } from "@/lib/auth/role";
import { type ActionSpec, type RequestContext, runAction } from "@/lib/auth/run-action";
import type { AuditRow } from "@/lib/console/audit/record";

const as = (role: Role): Who => ({
  userId: `u-${role}`,
  username: role,
  displayName: `The ${role}`,
  role,
  reveal: role === "admin",
  queues: null,
});

function bench(who: Who | null, origin: OriginVerdict = "accepted", overrides: Partial<RequestContext> = {}) {
  const audited: AuditRow[] = [];
  const logged: Record<string, unknown>[] = [];
  const bodies: unknown[] = [];
  const context: RequestContext = {
    requestId: "r-1",
    origin,
    address: "loopback",
    who: async () => who,
    audit: async (row) => void audited.push(row),
    log: (line) => void logged.push(line),
    ...overrides,
  };
  const spec = <N extends Need>(role: N): ActionSpec<N, z.ZodObject<{ id: z.ZodUUID }>, string> => ({
    name: "requeue",
    role,
    input: z.object({ id: z.uuid() }),
    body: async (asked) => {
      bodies.push(asked);
      return "done";
    },
  });
  return { context, audited, logged, bodies, spec };
}

const INPUT = { id: "0197a6c2-7f5e-7c41-9a53-2f4f6f1f0b11" };

describe("who may do what", () => {
  const people = [null, ...ROLES.map(as)];
  for (const need of ROLES)
    for (const who of people)
      for (const origin of ["accepted", "origin_missing", "origin_foreign"] as const) {
        const allowed = origin === "accepted" && who !== null && ROLES.indexOf(who.role) >= ROLES.indexOf(need);
        it(`${who?.role ?? "nobody"}, ${origin}: ${allowed ? "may" : "may not"} do what needs ${need}`, async () => {
          const { context, audited, bodies, spec } = bench(who, origin);
          const result = await runAction(context, spec(need), INPUT);
          expect(bodies).toHaveLength(allowed ? 1 : 0);
          const refusal = origin === "accepted" ? (who === null ? "signed_out" : "forbidden") : "refused";
          expect(result.kind).toBe(allowed ? "ok" : refusal);
          // Strangers cannot fill the audit, and looking is not acting.
          expect(audited).toHaveLength(!allowed && who !== null && need !== "viewer" ? 1 : 0);
        });
      }

  it("tells a viewer what is missing, and the audit who was refused, as what", async () => {
    const { context, audited, spec } = bench(as("viewer"));
    expect(await runAction(context, spec("operator"), INPUT)).toEqual({
      kind: "forbidden",
      need: "operator",
      role: "viewer",
      sentence: "This needs the operator role. You are a viewer.",
    });
    expect(audited).toEqual([
      {
        phase: "refusal",
        action: "requeue",
        actor: { id: "u-viewer", name: "The viewer", role: "viewer" },
        target: {},
        address: "loopback",
        outcome: "needs_operator",
        requestId: "r-1",
      },
    ]);
  });

  it("judges the role before it looks at the input", async () => {
    const { context, spec } = bench(as("viewer"));
    expect((await runAction(context, spec("operator"), { id: "not a uuid" })).kind).toBe("forbidden");
  });

  it("lets anyone sign in, but only from a page of ours", async () => {
    const fine = bench(null);
    expect((await runAction(fine.context, fine.spec("anyone"), INPUT)).kind).toBe("ok");
    const foreign = bench(null, "origin_missing");
    expect((await runAction(foreign.context, foreign.spec("anyone"), INPUT)).kind).toBe("refused");
  });

  it("refuses whoever is limited to some queues what touches all of them, and audits it", async () => {
    const limited: Who = { ...as("admin"), queues: ["session-lifecycle"] };
    const { context, audited, bodies, spec } = bench(limited);
    expect(await runAction(context, { ...spec("operator"), everyQueue: true }, INPUT)).toEqual({
      kind: "refused",
      code: "other_queue",
      sentence: "You are limited to some queues, and this touches all of them.",
    });
    expect([bodies.length, audited.map(({ outcome }) => outcome)]).toEqual([0, ["other_queue"]]);
    const free = bench(as("operator"));
    expect((await runAction(free.context, { ...free.spec("operator"), everyQueue: true }, INPUT)).kind).toBe("ok");
  });

  it("refuses whoever is limited to other queues, whatever the action, and audits it with the queue", async () => {
    const limited: Who = { ...as("operator"), queues: ["session-lifecycle"] };
    const { context, audited, bodies } = bench(limited);
    const spec: ActionSpec<"operator", z.ZodObject<{ queue: z.ZodString }>, string> = {
      name: "requeue",
      role: "operator",
      input: z.object({ queue: z.string() }),
      body: async ({ input }) => {
        bodies.push(input);
        return "done";
      },
    };
    expect(await runAction(context, spec, { queue: "persistence-retry" })).toEqual({
      kind: "refused",
      code: "other_queue",
      sentence: "You are limited to other queues than persistence-retry.",
    });
    expect(audited).toMatchObject([
      {
        phase: "refusal",
        outcome: "other_queue",
        target: { queue: "persistence-retry" },
        actor: { id: limited.userId },
      },
    ]);
    expect((await runAction(context, spec, { queue: "session-lifecycle" })).kind).toBe("ok");
    expect(bodies).toEqual([{ queue: "session-lifecycle" }]);
  });

  it("refuses even where the refusal cannot be written down", async () => {
    const { context, logged, spec } = bench(as("viewer"), "accepted", {
      audit: async () => Promise.reject(new Error("the table is gone")),
    });
    expect((await runAction(context, spec("operator"), INPUT)).kind).toBe("forbidden");
    expect(logged.map((line) => line.event)).toEqual(["action_refused", "audit_failed"]);
  });
});

describe("an action's ending", () => {
  it("gives the body what was parsed, and who asked", async () => {
    const { context, bodies, spec } = bench(as("operator"));
    expect(await runAction(context, spec("operator"), { ...INPUT, extra: 1 })).toEqual({ kind: "ok", value: "done" });
    expect(bodies).toEqual([{ input: INPUT, who: as("operator"), requestId: "r-1", address: "loopback" }]);
  });

  it.each([undefined, null, "text", { id: 7 }, { id: "x" }, []])("is invalid for %j", async (input) => {
    const { context, bodies, spec } = bench(as("admin"));
    const result = await runAction(context, spec("operator"), input);
    expect(result.kind).toBe("invalid");
    expect(bodies).toEqual([]);
  });

  it.each([
    ["a NUL", "a\u0000"],
    ["half a character", "a\ud800"],
  ])("is invalid for %s in any text, under the field that holds it", async (_what, note) => {
    const { context, bodies, spec } = bench(as("operator"));
    const input = z.object({ id: z.uuid(), note: z.string() });
    const body = async () => void bodies.push(note);
    const result = await runAction(context, { ...spec("operator"), input, body }, { ...INPUT, note });
    expect(result).toMatchObject({ kind: "invalid", issues: [{ path: "note" }] });
    expect(bodies).toEqual([]);
  });

  it("is a value when the body throws, without the inner words, and one log line has them", async () => {
    const { context, logged, spec } = bench(as("operator"));
    const broken = { ...spec("operator"), body: async () => Promise.reject(new Error("password=hunter2 at 10.0.0.1")) };
    const result = await runAction(context, broken, INPUT);
    expect(result).toMatchObject({ kind: "failed", code: "internal", requestId: "r-1" });
    expect(JSON.stringify(result)).not.toContain("hunter2");
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({ event: "action_failed", action: "requeue", requestId: "r-1", code: "internal" });
  });

  it("is a value when the session cannot be looked up", async () => {
    const gone = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const { context, bodies, spec } = bench(null, "accepted", { who: () => Promise.reject(gone) });
    expect(await runAction(context, spec("operator"), INPUT)).toMatchObject({
      kind: "failed",
      code: "ECONNREFUSED",
      sentence: "Postgres is unreachable.",
    });
    expect(bodies).toEqual([]);
  });
});
