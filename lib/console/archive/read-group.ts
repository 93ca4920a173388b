import type { Pool } from "pg";
import type { Bins } from "@/lib/domain/bins";
import { binsOf } from "@/lib/domain/bins";
import type { Reading } from "@/lib/domain/queue";
import { type BeforeAfter, readBeforeAfter } from "./before-after";
import { findGroup, type Group, type Hit, listHit } from "./group";
import { type HistogramBin, readHistogram } from "./histogram";
import type { ArchivedLetter } from "./letter-row";
import { listArchived } from "./list";
import { type GroupNote, listNotes } from "./notes";
import { archiveReading } from "./reading";

const EXAMPLES = 5;
const TREND_MAX_MS = 30 * 86_400_000;
const TREND_MIN_MS = 3_600_000;

/** What was done last about a group, and whether it helped. */
export type Fix = BeforeAfter & { what: "requeued" | "resolved" };

/** Everything that a group's page shows. Only the group itself must be readable; the rest fails by itself. */
export type GroupPage = {
  group: Group;
  bins: Bins;
  trend: Reading<HistogramBin[]>;
  hit: Reading<Hit[]>;
  examples: Reading<ArchivedLetter[]>;
  notes: Reading<GroupNote[]>;
  /** Empty: nothing was done yet. */
  fixes: Reading<Fix[]>;
};

/** One group by its number, on the store's clock (ms since 1970); null: there is none. Throws when it cannot be read. */
export async function readGroupPage(own: Pool, groupId: string, nowMs: number): Promise<GroupPage | null> {
  const group = await findGroup(own, groupId);
  if (group === null) return null;
  const toMs = Math.max(nowMs, group.lastMs + 1);
  const fromMs = Math.max(toMs - TREND_MAX_MS, Math.min(group.everFirstMs, toMs - TREND_MIN_MS));
  const bins = binsOf(fromMs, toMs);
  const done = [
    { what: "requeued" as const, atMs: group.requeuedMs },
    { what: "resolved" as const, atMs: group.resolvedMs },
  ];
  const readFixes = async () => {
    const read = done.map(async ({ what, atMs }) =>
      atMs === null ? [] : [{ what, ...(await readBeforeAfter(own, groupId, atMs, nowMs)) }],
    );
    return (await Promise.all(read)).flat();
  };
  const [trend, hit, examples, notes, fixes] = await Promise.all([
    archiveReading("group_trend", () => readHistogram(own, { group: groupId }, bins)),
    archiveReading("group_hit", () => listHit(own, groupId)),
    archiveReading(
      "group_examples",
      async () => (await listArchived(own, { group: groupId }, { limit: EXAMPLES })).rows,
    ),
    archiveReading("group_notes", () => listNotes(own, groupId)),
    archiveReading("group_fixes", readFixes),
  ]);
  return { group, bins, trend, hit, examples, notes, fixes };
}
