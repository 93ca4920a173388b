import type { Pool } from "pg";
import { z } from "zod";
import { queues } from "@/lib/console/sources";
import { one, type Sql } from "@/lib/db/pg";
import { pools } from "@/lib/db/pools";
import type { Queue } from "@/lib/queues/queue";
import { readWideRights, type WideRights } from "./rights";

/** What cannot be shown, by what it concerns: a queue's name, or `Audit`. */
export type Gaps = { of: string; sentences: string[] };

// An owner has every right on its table, whatever was revoked: has_table_privilege says so.
const MAY_EDIT: Sql = {
  name: "audit_may_edit",
  text: `select bool_or(has_table_privilege(current_user, name, 'update, delete, truncate')) as may
    from unnest(array['backstop.audit', 'backstop.audit_heads', 'backstop.audit_checks']) as name`,
};

/** What this store, this game server and this installation cannot show, said once. Never throws; empty: nothing. */
export async function readGaps(): Promise<Gaps[]> {
  const found = await Promise.all([...queues().map(gapsOfQueue), gapsOfAudit(pools().own), gapsOfRights()]);
  return found.filter(({ sentences }) => sentences.length > 0);
}

async function gapsOfQueue(queue: Queue): Promise<Gaps> {
  const { name } = queue;
  try {
    const sentences = await queue.readGaps();
    const listed = queue.jobs !== null || queue.letters !== null;
    // A queue that is not configured has said so already.
    if (!listed && sentences.length === 0)
      sentences.push("It is counted here. Its entries and letters are not listed.");
    return { of: name, sentences };
  } catch {
    return { of: name, sentences: ["What it cannot show could not be asked just now."] };
  }
}

const RIGHTS_FRESH_MS = 60_000;
let rights: { untilPerf: number; found: Promise<WideRights[]> } | null = null;

/** What the desk may do and never does. Whoever cannot be asked is away, which the page says elsewhere. */
async function gapsOfRights(): Promise<Gaps> {
  if (rights === null || performance.now() > rights.untilPerf)
    rights = { untilPerf: performance.now() + RIGHTS_FRESH_MS, found: readWideRights(pools()) };
  const found = await rights.found;
  return { of: "Rights", sentences: found.flatMap(({ asked, sentence }) => (asked ? [sentence] : [])) };
}

/** Whether the desk's own role could change what the audit says. */
export async function gapsOfAudit(own: Pool): Promise<Gaps> {
  const sentence =
    "It is not append-only here: the role that Backstop works with may change it. Give BACKSTOP_MIGRATE_URL a role that owns the schema.";
  try {
    const { may } = await one(own, MAY_EDIT, z.object({ may: z.boolean() }));
    return { of: "Audit", sentences: may ? [sentence] : [] };
  } catch {
    return { of: "Audit", sentences: ["Whether it is append-only could not be asked just now."] };
  }
}
