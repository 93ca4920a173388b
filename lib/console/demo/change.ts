import type { Pool } from "pg";
import { type Actor, type AuditRow, recordAudit } from "@/lib/console/audit/record";
import { demoView } from "@/lib/console/overview/demo";
import type { DemoView } from "@/lib/domain/overview";
import { utcClock } from "@/lib/domain/time";
import type { RpcClient } from "@/lib/internal-rpc/client";

export type DemoVerb = "break" | "mend";

/** How a change of the demo ended. Only `done` proves what is so now; after `unknown` the panel's next reading does. */
export type DemoChange =
  | { kind: "done"; sentence: string; demo: DemoView }
  | { kind: "not_done"; sentence: string }
  | { kind: "unknown"; sentence: string };

type Asked = { actor: Actor; address: string; requestId: string };

/**
 * Breaks the demo's catalog or mends it, through the engine's signed route. The intent stands in the audit before
 * anything is sent; if it cannot be written nothing is. Breaking what is broken, or mending what is whole, changes
 * nothing and says so.
 */
export async function changeDemo(own: Pool, rpc: RpcClient, verb: DemoVerb, asked: Asked): Promise<DemoChange> {
  const row = { action: `demo_${verb}`, target: { demo: "catalog" }, ...asked };
  await recordAudit(own, { ...row, phase: "intent" });
  const answer = await (verb === "break"
    ? rpc.demo.breakCatalog(asked.actor.id)
    : rpc.demo.mendCatalog(asked.actor.id));
  if (answer.kind === "ok") {
    const demo = demoView(answer.value);
    const { brokenSinceMs, zoneName } = demo;
    await recordOutcome(own, { ...row, phase: "outcome", outcome: "done", detail: { brokenSinceMs, zoneName } });
    return { kind: "done", sentence: sentenceOf(verb, demo), demo };
  }
  const code = "code" in answer ? answer.code : answer.kind;
  await recordOutcome(own, { ...row, phase: "outcome", outcome: answer.kind, detail: { code } });
  return { kind: answer.kind === "unknown" ? "unknown" : "not_done", sentence: answer.sentence };
}

function sentenceOf(verb: DemoVerb, { brokenSinceMs, zoneName }: DemoView): string {
  if (verb === "mend") return "Mended: the catalog is whole. Open a dead letter and requeue it.";
  if (brokenSinceMs === null) return "The catalog was broken and is mended again already.";
  const zone = zoneName === null ? "A zone" : `The zone ${zoneName}`;
  return `Broken at ${utcClock(brokenSinceMs)}. ${zone} is gone from the catalog; the first letter is dead within a minute.`;
}

/** What was done stands even if it cannot be written down; the intent tells of it, and the log of the rest. */
async function recordOutcome(own: Pool, row: AuditRow): Promise<void> {
  await recordAudit(own, row).catch((error: Error) => {
    console.error(JSON.stringify({ event: "audit_failed", action: row.action, error: error.message }));
  });
}
