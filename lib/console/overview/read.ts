import { config } from "@/lib/config";
import { countResolved } from "@/lib/console/samples/count-resolved";
import { queues, sources } from "@/lib/console/sources";
import { pools } from "@/lib/db/pools";
import type { ImpactCount } from "@/lib/domain/impact";
import type { ConnectionView, DemoView, Overview, QueueOverview } from "@/lib/domain/overview";
import type { Depths, Reading } from "@/lib/domain/queue";
import { STORE_NAMES } from "@/lib/domain/shape-words";
import { failedReading } from "@/lib/queues/failed-reading";
import type { Queue } from "@/lib/queues/queue";
import { readDemo } from "./demo";
import { type EngineFacts, readEngine } from "./engine";
import { POLLED_MS, type Shared, sharedReading } from "./shared-reading";
import { readClock, readPing } from "./stores";

/** Its answer changes when it is deployed; and each asking is a signed request with a nonce that the engine keeps. */
const ENGINE_FRESH_MS = 5_000;
/** How long one source is waited for. */
export const PATIENCE_MS = 2_500;

/**
 * What the desk sees now. Each source is read by itself and waited for no longer than its patience: one that is broken
 * blanks none of the others. Never throws.
 */
export async function readOverview(): Promise<Overview> {
  const [clock, redis, engine, demo, own, resolved, ...read] = await Promise.all([
    readClockShared(),
    sharedReading("redis", {
      freshMs: POLLED_MS,
      patienceMs: PATIENCE_MS,
      who: "Redis",
      read: () => readPing(sources().redis),
    }),
    readEngineShared(),
    readDemoShared(),
    readOwnShared(),
    readResolvedShared(),
    ...queues().map(readQueue),
  ]);
  const postgres: Reading<{ tookMs: number }> =
    sources().game === null ? { kind: "not_configured", sentence: "DATABASE_URL is not set." } : clock.reading;
  return {
    clock: clockNow(clock),
    queues: read,
    connections: [
      connection("Postgres", postgres),
      connection("Redis", redis.reading),
      connection("Engine", engine.reading),
    ],
    demo: demo?.reading ?? null,
    ownAway: own.reading.kind === "failed" ? own.reading.sentence : null,
    resolvedUntold: resolved.reading.kind === "failed" ? resolved.reading.sentence : null,
  };
}

function readClockShared() {
  return sharedReading("clock", {
    freshMs: POLLED_MS,
    patienceMs: PATIENCE_MS,
    who: "Postgres",
    read: () => readClock(sources().game ?? pools().own),
  });
}

/** The clock goes on while others are given the same reading: without its age it would jump back in every tab. */
function clockNow({ reading, ageMs }: Shared<{ atMs: number }>): Reading<{ atMs: number }> {
  return reading.kind === "read" ? { kind: "read", value: { atMs: reading.value.atMs + ageMs } } : reading;
}

/** The database clock (ms since 1970) for a page whose own reading brought none; null when it does not answer. */
export async function readDatabaseClock(): Promise<number | null> {
  const clock = clockNow(await readClockShared());
  return clock.kind === "read" ? clock.value.atMs : null;
}

/** What the engine says of itself, shared by all who ask. */
export function readEngineShared(): Promise<Shared<EngineFacts>> {
  return sharedReading("engine", {
    freshMs: ENGINE_FRESH_MS,
    patienceMs: PATIENCE_MS,
    who: "The engine",
    read: () => readEngine(sources().rpc),
  });
}

/** The name under which the demo's state is shared; forget it after having changed the demo. */
export const DEMO_READING = "demo";

function readDemoShared(): Promise<Shared<DemoView> | null> {
  if (!config().demo) return Promise.resolve(null);
  return sharedReading(DEMO_READING, {
    freshMs: POLLED_MS,
    patienceMs: PATIENCE_MS,
    who: "The engine",
    read: () => readDemo(sources().rpc),
  });
}

/** Whether the console's own database answers at all: one that is slow to count is not away. */
function readOwnShared() {
  return sharedReading("own", {
    freshMs: POLLED_MS,
    patienceMs: PATIENCE_MS,
    who: "Postgres",
    read: () => readClock(pools().own),
  });
}

function readResolvedShared() {
  return sharedReading("resolved", {
    freshMs: POLLED_MS,
    patienceMs: PATIENCE_MS,
    who: "Postgres",
    read: async (): Promise<Reading<Map<string, number>>> => {
      const names = queues().map(({ name }) => name);
      return countResolved(pools().own, names).then(
        (value) => ({ kind: "read", value }),
        (error) => failedReading(error, "Postgres"),
      );
    },
  });
}

async function readQueue(queue: Queue): Promise<QueueOverview> {
  const { impacts } = queue;
  const who = STORE_NAMES[queue.shape];
  const [{ reading, last }, impact, resolved] = await Promise.all([
    sharedReading<Depths>(`depths:${queue.name}`, {
      freshMs: POLLED_MS,
      patienceMs: PATIENCE_MS,
      who,
      read: () => queue.readDepths(),
    }),
    impacts &&
      sharedReading<ImpactCount[]>(`impacts:${queue.name}`, {
        freshMs: POLLED_MS,
        patienceMs: PATIENCE_MS,
        who,
        read: () => impacts.readImpacts(),
      }),
    readResolvedShared(),
  ]);
  return {
    name: queue.name,
    shape: queue.shape,
    leases: queue.leases,
    schedules: queue.schedules,
    lists: { jobs: queue.jobs !== null, letters: queue.letters !== null, entries: queue.list !== null },
    depths: reading,
    resolved: resolved.reading.kind === "read" ? (resolved.reading.value.get(queue.name) ?? null) : null,
    impacts: impact ? impact.reading : null,
    last: last && { depths: last.value, ageMs: last.ageMs },
  };
}

function connection(name: string, reading: Reading<{ tookMs: number; note?: string | null }>): ConnectionView {
  switch (reading.kind) {
    case "read":
      return { name, state: "ok", ms: reading.value.tookMs, note: reading.value.note ?? undefined };
    case "failed":
      return { name, state: "no_answer", ms: null, note: reading.sentence };
    case "not_configured":
      return { name, state: "not_configured", ms: null, note: reading.sentence };
    default:
      return reading satisfies never;
  }
}
