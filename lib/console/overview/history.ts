import type { Pool } from "pg";
import { readOldestAges } from "@/lib/console/samples/read";
import { queues } from "@/lib/console/sources";
import { many, one } from "@/lib/db/pg";
import { pools } from "@/lib/db/pools";
import type { History } from "@/lib/domain/history";
import type { QueueName, Reading } from "@/lib/domain/queue";
import { failedReading } from "@/lib/queues/failed-reading";
import { DeadHistoryRow, NOW, NowRow, READ_DEAD_HISTORY } from "./history-sql";
import { sharedReading } from "./shared-reading";

const MINUTES = 30;
/** The keeper samples every 5 s: no sooner is there anything new. */
const FRESH_MS = 3_000;
const PATIENCE_MS = 2_500;

/** The last half hour of every queue as the keeper sampled it; one reading for all who look. Never throws. */
export async function readHistory(): Promise<Reading<History>> {
  const { reading } = await sharedReading("history", {
    freshMs: FRESH_MS,
    patienceMs: PATIENCE_MS,
    who: "Postgres",
    read: () =>
      historyOf(
        pools().own,
        queues().map(({ name }) => name),
      ),
  });
  return reading;
}

/** The samples of these queues, from the console's own schema. */
export async function historyOf(own: Pool, names: QueueName[]): Promise<Reading<History>> {
  try {
    const [ages, dead, now] = await Promise.all([
      readOldestAges(own, MINUTES),
      many(own, READ_DEAD_HISTORY, DeadHistoryRow, [names, MINUTES]),
      one(own, NOW, NowRow),
    ]);
    const history = names.map((name) => {
      const { sinceMs = null, quietMs = null, sampledMs = null } = dead.find(({ queue }) => queue === name) ?? {};
      const points = (ages.get(name) ?? []).map(({ atMs, oldestMs }) => ({ atMs, ageMs: oldestMs }));
      // A queue that never tells an age has no line, not a line of gaps.
      const told = points.some(({ ageMs }) => ageMs !== null);
      return { name, sinceMs, quietMs, sampledMs, points: told ? points : [] };
    });
    return { kind: "read", value: { minutes: MINUTES, toMs: now.at_ms, queues: history } };
  } catch (error) {
    return failedReading(error, "Postgres");
  }
}
