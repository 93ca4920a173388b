import type { Pool } from "pg";
import { type Actor, type AuditRow, recordAudit } from "@/lib/console/audit/record";
import { demoView } from "@/lib/console/overview/demo";
import type { FaultName } from "@/lib/domain/demo-fault";
import type { DemoView } from "@/lib/domain/overview";
import { utcClock } from "@/lib/domain/time";
import type { RpcClient } from "@/lib/internal-rpc/client";
import { logLine } from "@/lib/queues/log-line";
import { faultSentence } from "./fault-sentence";

/** What is asked of the demo: its catalog broken or mended, or one of its faults made or mended. */
export type DemoVerb = "break" | "mend" | { verb: "fault_begin" | "fault_end"; fault: FaultName };

/** How a change of the demo ended. Only `done` proves what is so now; after `unknown` the panel's next reading does. */
export type DemoChange =
  | { kind: "done"; sentence: string; demo: DemoView }
  | { kind: "not_done"; sentence: string }
  | { kind: "unknown"; sentence: string };

type Asked = { actor: Actor; address: string; requestId: string };

/**
 * Breaks the demo's catalog or mends it, or does so with a fault, through the engine's signed route. The intent stands
 * in the audit before anything is sent; if it cannot be written nothing is. Breaking what is broken, or mending what is
 * whole, changes nothing and says so.
 */
export async function changeDemo(own: Pool, rpc: RpcClient, verb: DemoVerb, asked: Asked): Promise<DemoChange> {
  const catalog = typeof verb === "string";
  const row = {
    action: `demo_${catalog ? verb : verb.verb}`,
    target: { demo: catalog ? "catalog" : verb.fault },
    ...asked,
  };
  await recordAudit(own, { ...row, phase: "intent" });
  const answer = await send(rpc, verb, asked.actor.id);
  if (answer.kind === "ok") {
    const demo = demoView(answer.value);
    const { brokenSinceMs, zoneName, fault } = demo;
    const detail = catalog
      ? { brokenSinceMs, zoneName }
      : { open: fault?.fault ?? null, sinceMs: fault?.sinceMs ?? null };
    await recordOutcome(own, { ...row, phase: "outcome", outcome: "done", detail });
    const sentence = catalog ? sentenceOf(verb, demo) : faultSentence(verb, demo.fault);
    return { kind: "done", sentence, demo };
  }
  const code = "code" in answer ? answer.code : answer.kind;
  await recordOutcome(own, { ...row, phase: "outcome", outcome: answer.kind, detail: { code } });
  return { kind: answer.kind === "unknown" ? "unknown" : "not_done", sentence: answer.sentence };
}

function send({ demo }: RpcClient, verb: DemoVerb, actor: string) {
  if (verb === "break") return demo.breakCatalog(actor);
  if (verb === "mend") return demo.mendCatalog(actor);
  return verb.verb === "fault_begin" ? demo.beginFault(verb.fault, actor) : demo.endFault(verb.fault, actor);
}

function sentenceOf(verb: "break" | "mend", { brokenSinceMs, zoneName }: DemoView): string {
  if (verb === "mend") return "Mended: the catalog is whole. Open a dead letter and requeue it.";
  if (brokenSinceMs === null) return "The catalog was broken and is mended again already.";
  const zone = zoneName === null ? "A zone" : `The zone ${zoneName}`;
  return `Broken at ${utcClock(brokenSinceMs)}. ${zone} is gone from the catalog; the first letter is dead within a minute.`;
}

/** What was done stands even if it cannot be written down; the intent tells of it, and the log of the rest. */
async function recordOutcome(own: Pool, row: AuditRow): Promise<void> {
  await recordAudit(own, row).catch((error: Error) => {
    logLine({ event: "audit_failed", action: row.action, error: error.message });
  });
}
