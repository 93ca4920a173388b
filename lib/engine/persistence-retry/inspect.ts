import type pg from "pg";
import { z } from "zod";
import { many, one, type Sql, transaction } from "@/lib/db/pg";
import { instant } from "@/lib/engine/pg/instant";
import type { DeadLettersAnswer } from "@/lib/internal-rpc/wire";
import { decodePersistenceRetryJob } from "./payload/decode";
import { storeShape } from "./store-shape";

/** The server-side range of `limit`. */
export const INSPECT_LIMIT = { min: 1, max: 500, default: 50 };
const ERROR_BYTES_MAX = 2_048;

const COUNTS: Sql = {
  name: "inspect_counts",
  text: `select (select count(*)::int from persistence_retry_jobs) as pending_retry_jobs,
                (select count(*)::int from persistence_job_dead_letters where requeued_at is null) as active_dead_letters`,
};

// $1 limit. The payload is read for the token, source and impact that the seed's summary names.
const COLUMNS = `dead_letter_id, retry_job_id, job_kind, character_id, realm_id, zone_id, failed_attempts,
  left(error, ${ERROR_BYTES_MAX}) as error, octet_length(error) as error_bytes,
  ${instant("dead_lettered_at")} as timestamp,
  case when octet_length(payload) <= 1048576 then payload end as payload`;
const LETTERS = (extra: string) => `
  select ${COLUMNS}, ${extra} from persistence_job_dead_letters
   where requeued_at is null order by persistence_job_dead_letters.dead_lettered_at desc, dead_letter_id desc limit $1`;
const LIST: Sql = { name: "inspect_letters", text: LETTERS("source, session_impact") };
const LIST_SEED: Sql = { name: "inspect_letters_seed", text: LETTERS("null as source, null as session_impact") };

const Row = z.object({
  dead_letter_id: z.string(),
  retry_job_id: z.string(),
  job_kind: z.string(),
  character_id: z.string(),
  realm_id: z.string(),
  zone_id: z.string().nullable(),
  failed_attempts: z.number(),
  error: z.string(),
  error_bytes: z.number(),
  timestamp: z.string(),
  payload: z.string().nullable(),
  source: z.string().nullable(),
  session_impact: z.string().nullable(),
});
const Counts = z.object({ pending_retry_jobs: z.number(), active_dead_letters: z.number() });

type Summary = z.output<typeof DeadLettersAnswer>["dead_letters"][number] & { session_token: string | null };
export type Inspection = Omit<z.output<typeof DeadLettersAnswer>, "dead_letters"> & { dead_letters: Summary[] };

/**
 * Counts, and the newest active letters. `limit` is clamped to 1..500. The answer holds session tokens, as the seed's
 * does: it goes over the signed route only, and the desk drops them at the crossing.
 */
export async function inspectDeadLetters(pool: pg.Pool, limit: number = INSPECT_LIMIT.default): Promise<Inspection> {
  const { traces } = await storeShape(pool);
  const wanted = Number.isFinite(limit) ? Math.trunc(limit) : INSPECT_LIMIT.default;
  const clamped = Math.min(INSPECT_LIMIT.max, Math.max(INSPECT_LIMIT.min, wanted));
  return transaction(pool, async (client) => {
    await client.query("set transaction isolation level repeatable read, read only");
    const counts = await one(client, COUNTS, Counts);
    const rows = await many(client, traces ? LIST : LIST_SEED, Row, [clamped]);
    return { ...counts, dead_letters: rows.map(summary) };
  });
}

function summary({ payload, error, ...row }: z.output<typeof Row>): Summary {
  const decoded = payload === null ? null : decodePersistenceRetryJob(payload);
  const job = decoded?.ok ? decoded.job : null;
  return {
    ...row,
    error: cutBytes(error),
    session_token: job?.sessionToken ?? null,
    source: row.source ?? job?.source ?? null,
    session_impact: row.session_impact ?? job?.sessionImpact ?? null,
  };
}

/** The first 2 KiB, never half a character. */
function cutBytes(text: string): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, ERROR_BYTES_MAX)).replace(/\uFFFD$/, "");
}
