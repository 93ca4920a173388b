import type { Pool } from "pg";
import type { By } from "@/lib/auth/by";
import { recordAudit } from "@/lib/console/audit/record";

/** Marks the charts at this moment: the mark is its line of the audit. */
export async function addMark(own: Pool, { word, text }: { word: string; text: string }, by: By): Promise<void> {
  await recordAudit(own, {
    phase: "outcome",
    action: "mark",
    target: { word },
    detail: { text },
    outcome: "done",
    ...by,
  });
}
