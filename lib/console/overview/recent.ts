import type { Pool } from "pg";
import { queues } from "@/lib/console/sources";
import { many, one } from "@/lib/db/pg";
import { pools } from "@/lib/db/pools";
import { increaseOf, increasesOf } from "@/lib/domain/increase";
import type { QueueName, Reading } from "@/lib/domain/queue";
import type { Recent, Watched } from "@/lib/domain/recent";
import { failedReading } from "@/lib/queues/failed-reading";
import {
  DeadHistoryRow,
  FLOW,
  FLOW_MINUTES,
  FlowRow,
  LEVEL_MINUTES,
  LEVELS,
  LevelRow,
  NOW,
  NowRow,
  READ_DEAD_HISTORY,
  WATCHED_MINUTES,
} from "./recent-sql";
import { sharedReading } from "./shared-reading";

/** The keeper samples every 5 s, and tabs poll as often: no sooner is there anything new. */
const FRESH_MS = 4_900;
const PATIENCE_MS = 2_500;

/** The last half hour of every queue as the keeper sampled it; one reading for all who look. Never throws. */
export async function readRecent(): Promise<Reading<Recent>> {
  const { reading } = await sharedReading("recent", {
    freshMs: FRESH_MS,
    patienceMs: PATIENCE_MS,
    who: "Postgres",
    read: () =>
      recentOf(
        pools().own,
        queues().map(({ name }) => name),
      ),
  });
  return reading;
}

/** What was sampled of these queues of late, from the console's own schema. */
export async function recentOf(own: Pool, names: QueueName[]): Promise<Reading<Recent>> {
  try {
    const [dead, levels, minutes, now] = await Promise.all([
      many(own, READ_DEAD_HISTORY, DeadHistoryRow, [names, FLOW_MINUTES]),
      many(own, LEVELS, LevelRow, [names, LEVEL_MINUTES]),
      many(own, FLOW, FlowRow, [names, FLOW_MINUTES]),
      one(own, NOW, NowRow),
    ]);
    const recent = names.map((name) => {
      const { sinceMs = null, quietMs = null, sampledMs = null } = dead.find(({ queue }) => queue === name) ?? {};
      const rows = minutes.filter(({ queue }) => queue === name);
      return {
        name,
        ...{ sinceMs, quietMs, sampledMs },
        levels: levels.filter(({ queue }) => queue === name).map(({ at_ms, rows }) => ({ atMs: at_ms, rows })),
        flow: rows.slice(0, -1).map(({ rows, done, died }) => ({ rows, done, died })),
        watched: watchedOf(rows.slice(-WATCHED_MINUTES)),
      };
    });
    return { kind: "read", value: { toMs: now.at_ms, queues: recent } };
  } catch (error) {
    return failedReading(error, "Postgres");
  }
}

function watchedOf(minutes: FlowRow[]): Watched {
  const rows = minutes.flatMap((minute) => (minute.rows === null ? [] : [minute.rows]));
  return {
    minutes: WATCHED_MINUTES,
    lostLeases: sumOf(minutes.map(({ lost_leases }) => lost_leases)),
    died: sumOf(minutes.map(({ died }) => died)),
    durableOnly: increasesOf(minutes.map(({ durable_only }) => durable_only)),
    enqueueErrors: increaseOf(minutes.map(({ enqueue_errors }) => enqueue_errors)),
    rowsBefore: rows.length > 1 ? (rows[0] ?? null) : null,
    rowsNow: rows.length > 1 ? (rows.at(-1) ?? null) : null,
  };
}

function sumOf(values: (number | null)[]): number | null {
  const told = values.filter((value) => value !== null);
  return told.length === 0 ? null : told.reduce((sum, value) => sum + value, 0);
}
