import type { Pool } from "pg";
import { type Actor, recordAudit } from "@/lib/console/audit/record";
import { maybe, transaction } from "@/lib/db/pg";
import { gateOf, stillNeeded, worsened } from "@/lib/domain/gate";
import type { OperationView, Plan } from "@/lib/domain/requeue";
import { SIGNATURE_LIFETIME_S } from "@/lib/internal-rpc/limits";
import { type RequeueableQueue, storePlan } from "./plan";
import { recordResult } from "./record";
import { FIND_PLAN, INTEND, IntendedRow, PlanRow, type StoredPlan } from "./sql";
import { readOperation } from "./view";

export type Confirmation = { operationId: string; acknowledged: string[]; reason: string };
export type Confirmer = { userId: string; actor: Actor; address: string; requestId: string };

/** How a click ended. Only `sent` may have had an effect; `already` was sent by an earlier click of the same plan. */
export type Confirmed =
  | { kind: "sent"; view: OperationView }
  | { kind: "already"; view: OperationView }
  | { kind: "changed"; plan: Plan; worse: string[] }
  | { kind: "blocked"; blocks: string[] }
  | { kind: "incomplete"; missing: string[] }
  | { kind: "plan_gone" };

/**
 * The second and third moment: the operator's click. The preflight runs again; a new or worse finding sends nothing
 * and gives the new plan. Then the intent and its audit row are durable before anything is sent, and the answer is
 * recorded. Throws when a store cannot be read; then, too, nothing was sent, or a keeper finishes what was.
 */
export async function confirmRequeue(
  own: Pool,
  queue: RequeueableQueue,
  confirmation: Confirmation,
  by: Confirmer,
): Promise<Confirmed> {
  const plan = await maybe(own, FIND_PLAN, PlanRow, [confirmation.operationId]);
  if (plan === null || plan.queue !== queue.name || plan.plannedBy !== by.userId) return { kind: "plan_gone" };
  if (plan.state !== "planned") return { kind: "already", view: await readOperation(own, plan.operationId) };

  const refuse = (outcome: string, detail: Record<string, unknown>) =>
    recordAudit(own, { ...auditOf(plan, confirmation, by), phase: "refusal", outcome, detail });

  const [now] = await queue.door.preflight([plan.letterId], by.userId);
  if (now === undefined) throw new Error("the preflight gave no answer for the letter");
  const worse = worsened(plan.preflight.findings, now.findings).map((finding) => finding.code);
  if (worse.length > 0) {
    await refuse("changed", { worse });
    return { kind: "changed", plan: await storePlan(own, queue.name, now, by.userId), worse };
  }
  const gate = gateOf(now.findings);
  if (gate.kind === "blocked") {
    const blocks = gate.blocks.map((finding) => finding.code);
    await refuse("blocked", { blocks });
    return { kind: "blocked", blocks };
  }
  const missing = stillNeeded(gate, confirmation.acknowledged, confirmation.reason);
  if (missing.length > 0) {
    await refuse("incomplete", { missing });
    return { kind: "incomplete", missing };
  }
  const signedMs = await intend(own, plan, confirmation, by);
  if (signedMs === null) return { kind: "already", view: await readOperation(own, plan.operationId) };
  const items = [{ letterId: plan.letterId, expect: plan.expect }];
  const result = await queue.door.requeue(plan.operationId, items, by.userId, signedMs);
  await recordResult(own, { ...plan, actor: by.actor }, result);
  return { kind: "sent", view: await readOperation(own, plan.operationId) };
}

function auditOf(plan: StoredPlan, confirmation: Confirmation, by: Confirmer) {
  return {
    action: "requeue",
    actor: by.actor,
    address: by.address,
    target: { queue: plan.queue, letterId: plan.letterId },
    operationId: plan.operationId,
    planHash: plan.planHash,
    reason: confirmation.reason.trim() || null,
    acknowledged: confirmation.acknowledged,
    requestId: by.requestId,
  };
}

/** Intent and its audit row stand or fall together. The instant to sign for; null: another click of this plan was first. */
function intend(own: Pool, plan: StoredPlan, confirmation: Confirmation, by: Confirmer): Promise<number | null> {
  return transaction(own, async (client) => {
    const reason = confirmation.reason.trim() || null;
    const values = [plan.operationId, by.userId, reason, confirmation.acknowledged, SIGNATURE_LIFETIME_S * 1000];
    const intended = await maybe(client, INTEND, IntendedRow, values);
    if (intended === null) return null;
    await recordAudit(client, { ...auditOf(plan, confirmation, by), phase: "intent" });
    return Math.floor(intended.intended_ms);
  });
}
