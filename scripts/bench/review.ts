import type pg from "pg";
import { readGroups } from "@/lib/console/archive/groups";
import { readHistogram } from "@/lib/console/archive/histogram";
import { listArchived } from "@/lib/console/archive/list";
import { binsOf } from "@/lib/domain/bins";
import { encodeCursor } from "@/lib/queues/cursor";
import { fillArchive } from "@/scripts/testing/archived-letters";
import { type BareName, bareReview } from "./baseline/review";
import { atMost, type Figure } from "./figure";
import { median, percentile, ratios, rounded, timed } from "./rounds";
import { type BenchStores, openBenchStores } from "./stores";

const DAY_MS = 86_400_000;
const SMALL = { letters: 100_000, days: 10 };
const LARGE = { letters: 1_000_000, days: 100 };
const ROUNDS = 40;
const RATIO_MAX = 3;

/** One thing that a page asks, through its reader and bare. `growthMax`: how much longer it may take of ten times as much. */
type Case = { name: string; bare: BareName; values: unknown[]; read: () => Promise<unknown>; growthMax: number };

/** The review pages over 1,000,000 archived letters, and how much longer they take than over 100,000 of the same days. */
export async function review(): Promise<Figure[]> {
  const stores = await openBenchStores();
  try {
    const small = await measure(stores, "bench_review_small", SMALL);
    const large = await measure(stores, "bench_review_large", LARGE);
    return large.flatMap(({ name, ms, bareMs, growthMax }, at) => {
      const before = small[at];
      const note = `bare ${rounded(median(bareMs))} ms`;
      const ratio = rounded(median(ratios(ms, bareMs)));
      const growth = rounded(median(ms) / median(before?.ms ?? []));
      const from = `from ${rounded(median(before?.ms ?? []))} to ${rounded(median(ms))} ms`;
      return [
        { name: `review, ${name}, p95`, value: rounded(percentile(ms, 95)), unit: "ms", goal: "", met: null, note },
        atMost(`review, ${name}, beside its bare statement`, ratio, "x", RATIO_MAX, note),
        atMost(`review, ${name}, of ten times as many letters`, growth, "x", growthMax, from),
      ];
    });
  } finally {
    await stores.end();
  }
}

type Measured = { name: string; ms: number[]; bareMs: number[]; growthMax: number };

async function measure(stores: BenchStores, database: string, { letters, days }: typeof SMALL): Promise<Measured[]> {
  const urls = await stores.own(database);
  const own = stores.pool(urls.own);
  await fillArchive(own, { letters, days, groups: 24, characters: 500 });
  // As the server does by itself after some minutes; only the owner may.
  await stores.pool(urls.owner, 1).query("vacuum (analyze) backstop.dead_letters");
  const measured: Measured[] = [];
  for (const { name, bare, values, read, growthMax } of await casesOf(own)) {
    const [ms, bareMs]: [number[], number[]] = [[], []];
    // The first rounds make connections, plans and warm pages.
    for (let round = -6; round < ROUNDS; round += 1) {
      const bareTook = await timed(() => bareReview(own, bare, values));
      const took = await timed(read);
      if (round < 0) continue;
      bareMs.push(bareTook);
      ms.push(took);
    }
    measured.push({ name, ms, bareMs, growthMax });
  }
  return measured;
}

async function casesOf(own: pg.Pool): Promise<Case[]> {
  const { rows } = await own.query(
    `select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms, l.letter_id, l.job_id, l.subject_id, l.subject_name,
       d.died_at::text as deep_at, d.letter_id as deep_id
     from (select * from backstop.dead_letters order by died_at desc offset 4321 limit 1) l,
       (select died_at, letter_id from backstop.dead_letters order by died_at offset 1000 limit 1) d`,
  );
  const { now_ms: nowMs, letter_id, job_id, subject_id, subject_name, deep_at, deep_id } = rows[0];
  const day = { fromMs: nowMs - DAY_MS };
  const since = [new Date(day.fromMs)];
  const list = (filter: Parameters<typeof listArchived>[1], after?: string) => () =>
    listArchived(own, filter, { limit: 100, after });
  const one = (name: string, bare: BareName, values: unknown[], read: Case["read"], growthMax = 2): Case => ({
    name,
    bare,
    values,
    read,
    growthMax,
  });
  return [
    one("groups of 24 h", "groups", since, () => readGroups(own, day, { fromMs: day.fromMs, toMs: nowMs })),
    one("histogram of 24 h", "histogram", since, () => readHistogram(own, {}, binsOf(day.fromMs, nowMs))),
    one("first page", "first", [], list({})),
    one("first page of the open ones", "open", ["open"], list({ states: ["open"] })),
    one("deepest page", "deep", [deep_at, deep_id], list({}, encodeCursor(deep_at, deep_id))),
    one("by a letter's id", "id", [letter_id], list({ text: letter_id })),
    one("by a job's id", "id", [job_id], list({ text: job_id })),
    one("by a character's id", "id", [subject_id], list({ text: subject_id })),
    one("by a character's name", "name", [subject_name], list({ text: subject_name })),
    one("by frequent words", "words", ["deadlock vault"], list({ text: "deadlock vault" }), 4),
    one("by rare words", "words", ["deadlock module cobalt"], list({ text: "deadlock module cobalt" }), 4),
  ];
}
