import type { z } from "zod";
import type { Declared, Need } from "@/lib/auth/declared";
import { failureOf } from "@/lib/auth/failure";
import { mayUse } from "@/lib/auth/may-use";
import type { OriginVerdict } from "@/lib/auth/origin";
import { atLeast, type Role, type Who } from "@/lib/auth/role";
import { unstorable } from "@/lib/auth/unstorable";
import { whyNotEveryQueue, whyNotQueue, whyNotRole } from "@/lib/auth/why-not";
import type { AuditRow } from "@/lib/console/audit/record";

/** What an action needs to know of its request. Given by Next in the app, by hand in tests. */
export type RequestContext = {
  requestId: string;
  origin: OriginVerdict;
  address: string;
  /** Looks the session and its role up now. */
  who(): Promise<Who | null>;
  audit(row: AuditRow): Promise<void>;
  log(line: Record<string, unknown>): void;
};

export type Asked<N extends Need, I> = {
  input: I;
  who: N extends Role ? Who : Who | null;
  requestId: string;
  address: string;
};

export type ActionSpec<N extends Need, S extends z.ZodType, T> = {
  /** A verb, as the audit names it. */
  name: string;
  role: N;
  everyQueue?: Declared["everyQueue"];
  input: S;
  /** Does the work. Expected endings are values; what it throws becomes `failed`. Redirect after it, not in it. */
  body(asked: Asked<N, z.output<S>>): Promise<T>;
};

export type Issue = { path: string; message: string };

export type ActionResult<T> =
  | { kind: "ok"; value: T }
  | { kind: "signed_out"; sentence: string }
  | { kind: "forbidden"; need: Role; role: Role; sentence: string }
  | { kind: "invalid"; issues: Issue[] }
  | { kind: "refused"; code: string; sentence: string }
  | { kind: "failed"; code: string; requestId: string; atMs: number; sentence: string };

/** who → origin → role → parse → body. Never throws: a throw would replace the page by an opaque error. */
export async function runAction<N extends Need, S extends z.ZodType, T>(
  context: RequestContext,
  spec: ActionSpec<N, S, T>,
  input: unknown,
): Promise<ActionResult<T>> {
  try {
    return await decide(context, spec, input);
  } catch (error) {
    const failure = failureOf(error);
    const { requestId } = context;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    context.log({ event: "action_failed", action: spec.name, requestId, code: failure.code, error: text });
    return { kind: "failed", requestId, atMs: Date.now(), ...failure };
  }
}

async function decide<N extends Need, S extends z.ZodType, T>(
  context: RequestContext,
  spec: ActionSpec<N, S, T>,
  input: unknown,
): Promise<ActionResult<T>> {
  const { requestId, address } = context;
  const who = await context.who();
  if (context.origin !== "accepted") {
    await refuse(context, spec, who, context.origin);
    return { kind: "refused", code: context.origin, sentence: "This request did not come from a page of Backstop." };
  }
  if (spec.role !== "anyone") {
    const need: Role = spec.role;
    if (!who) {
      await refuse(context, spec, who, "signed_out");
      return { kind: "signed_out", sentence: "Your session is over. Nothing was sent. Sign in to go on." };
    }
    if (!atLeast(who.role, need)) {
      await refuse(context, spec, who, `needs_${need}`);
      return { kind: "forbidden", need, role: who.role, sentence: whyNotRole(who.role, need) };
    }
  }
  if (spec.everyQueue && who?.queues) {
    await refuse(context, spec, who, "other_queue");
    return { kind: "refused", code: "other_queue", sentence: whyNotEveryQueue() };
  }
  const parsed = spec.input.safeParse(input);
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
    return { kind: "invalid", issues };
  }
  const refused = unstorable(parsed.data);
  if (refused) return { kind: "invalid", issues: [refused] };
  const queue = queueOf(parsed.data);
  if (queue !== null && !(who && mayUse(who, queue))) {
    await refuse(context, spec, who, "other_queue", { queue });
    return { kind: "refused", code: "other_queue", sentence: whyNotQueue(queue) };
  }
  const asked = { input: parsed.data, who: who as Asked<N, z.output<S>>["who"], requestId, address };
  return { kind: "ok", value: await spec.body(asked) };
}

/** Whatever names a queue is judged by it: no action can forget to. */
function queueOf(input: unknown): string | null {
  const queue = (input as { queue?: unknown } | null | undefined)?.queue;
  return typeof queue === "string" ? queue : null;
}

/**
 * Refusals are audited under the name of who was refused. Of a stranger only the log tells: who has no account must not
 * be able to fill a table from which nothing can be deleted. A refusal stands even if it cannot be written down.
 */
async function refuse(
  context: RequestContext,
  spec: { name: string; role: Need },
  who: Who | null,
  outcome: string,
  target: Record<string, unknown> = {},
) {
  const { requestId, address } = context;
  context.log({ event: "action_refused", action: spec.name, requestId, outcome, user: who?.userId ?? null, address });
  if (!who || spec.role === "anyone" || spec.role === "viewer") return;
  const actor = { id: who.userId, name: who.displayName, role: who.role };
  const row: AuditRow = { phase: "refusal", action: spec.name, actor, target, address, outcome, requestId };
  await context.audit(row).catch((error: Error) => {
    context.log({ event: "audit_failed", action: spec.name, requestId, error: error.message });
  });
}
