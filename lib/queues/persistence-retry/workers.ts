import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, one, type Sql } from "@/lib/db/pg";
import type { Worker, WorkerCounts, WorkerLeases, Workers } from "@/lib/domain/worker";
import { workerState } from "@/lib/domain/worker-state";
import { failedReading, NotReadable } from "@/lib/queues/failed-reading";
import type { WorkerReader } from "@/lib/queues/queue";
import { notReadable, readFeatures, UNCOUNTED } from "./features";
import { CountsRow, LeasesRow, READ_COUNTS, READ_LEASES, SHOWN_MINUTES, WORKERS_MAX } from "./workers-sql";

const NO_LEASES: WorkerLeases = { live: 0, expired: 0, firstEndMs: null };
const NO_COUNTS: WorkerCounts = {
  done: 0,
  failed: 0,
  lostLeases: 0,
  staleSettles: 0,
  settledMs: null,
  lostMs: null,
  minutes: { done: Array(SHOWN_MINUTES).fill(0), failed: Array(SHOWN_MINUTES).fill(0) },
};

const CLOCK: Sql = { name: "persistence_retry_workers_clock", text: `select ${ms("statement_timestamp()")} as at_ms` };

async function read(pool: Pool): Promise<Workers> {
  const features = await readFeatures(pool);
  if (!features.jobs) throw new NotReadable(notReadable("persistence_retry_jobs"));
  const asked = [WORKERS_MAX + 1];
  const [leases, counted, { at_ms }] = await Promise.all([
    many(pool, READ_LEASES, LeasesRow, asked),
    features.workerCounts ? many(pool, READ_COUNTS, CountsRow, asked) : null,
    one(pool, CLOCK, z.object({ at_ms: z.number() })),
  ]);
  const atMs = Math.max(at_ms, ...leases.map((row) => row.at_ms));
  const shown = <T>(rows: T[]) => rows.slice(0, WORKERS_MAX);
  const held = new Map(
    shown(leases).map(({ worker, live, expired, first_end_ms }) => [
      worker,
      { live, expired, firstEndMs: first_end_ms },
    ]),
  );
  const counts = counted && new Map(shown(counted).map((row) => [row.worker, row.counts]));
  const names = [...new Set([...held.keys(), ...(counts?.keys() ?? [])])];
  const workers = names.map((name): Worker => {
    const own = { leases: held.get(name) ?? NO_LEASES, counts: counts && (counts.get(name) ?? NO_COUNTS) };
    return { name, state: workerState(own.leases, own.counts, atMs), ...own };
  });
  return {
    atMs,
    workers: workers.toSorted(byTrouble),
    more: Math.max(leases.length, counted?.length ?? 0) > WORKERS_MAX,
    uncounted: counts === null ? UNCOUNTED : null,
  };
}

const RANK: Record<Worker["state"], number> = { lost: 0, untold: 1, late: 2, alive: 3, quiet: 4, gone: 5 };

/** What needs a look comes first; among the like, by name, so that nothing moves with every reading. */
const byTrouble = (a: Worker, b: Worker) => RANK[a.state] - RANK[b.state] || (a.name < b.name ? -1 : 1);

/** Leases and counts by worker, at most `WORKERS_MAX` of each; a store that counts nothing tells the leases alone. */
export function workerReader(pool: Pool): WorkerReader {
  return {
    async readWorkers() {
      try {
        return { kind: "read", value: await read(pool) };
      } catch (error) {
        return failedReading(error, "Postgres");
      }
    },
  };
}
