import type pg from "pg";
import { encodePersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/encode";
import { insertJob, type Person, rewardsJob } from "./maker";

/** What its process may hold, and what it must not be able to: beside the engine itself there is room for small work only. */
export const SMALL_HEAP = "--max-old-space-size=80";
const NUMBERS = 4_000_000;

/** A job whose payload exhausts the heap of an engine under `SMALL_HEAP` when it is looked at: it kills its process, whoever runs it. */
export function insertPoison(pool: pg.Pool, person: Person): Promise<string> {
  const job = encodePersistenceRetryJob(rewardsJob(person));
  const ballast = new Array(NUMBERS).fill("12").join(",");
  return insertJob(pool, rewardsJob(person), "due", { payload: `{"ballast":[${ballast}],${job.slice(1)}` });
}
