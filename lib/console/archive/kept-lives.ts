import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";
import { ArchivedState } from "@/lib/domain/archived-letter";
import type { Life } from "@/lib/domain/dead-letter";
import { shownLabel } from "@/lib/queues/masked";

/** Lives shown before and after a letter. */
const LIVES_MAX = 20;

/** $1 queue · $2 letter id · $3 most steps each way. Letter by letter, as the requeues between them were followed. */
const CHAIN: Sql = {
  name: "archive_letter_chain",
  text: `with recursive back as (
      select letter_id, requeued_from, next_letter_id, 0 as step from backstop.dead_letters where queue = $1 and letter_id = $2
      union all
      select p.letter_id, p.requeued_from, p.next_letter_id, b.step - 1
        from back b join backstop.dead_letters p on p.queue = $1 and p.letter_id = b.requeued_from where b.step > -$3::int
    ), forth as (
      select * from back where step = 0
      union all
      select n.letter_id, n.requeued_from, n.next_letter_id, f.step + 1
        from forth f join backstop.dead_letters n on n.queue = $1 and n.letter_id = f.next_letter_id where f.step < $3::int
    )
    select d.letter_id, d.job_id, d.labels ->> 'source' as source, d.state, ${ms("d.died_at")} as died_ms,
        ${ms("d.requeued_at")} as requeued_ms, d.requeued_job_id, ${ms("d.state_at")} as state_ms
      from (select letter_id, min(step) as step from (select * from back union all select * from forth) as whole
        group by letter_id) as chain
      join backstop.dead_letters d on d.queue = $1 and d.letter_id = chain.letter_id
     order by chain.step limit 2 * $3::int + 1`,
};

const Row = z.object({
  letter_id: z.string(),
  job_id: z.string().nullable(),
  source: z.string().nullable(),
  state: ArchivedState,
  died_ms: z.number(),
  requeued_ms: z.number().nullable(),
  requeued_job_id: z.string().nullable(),
  state_ms: z.number(),
});
type Row = z.output<typeof Row>;

/** The lives of a letter's work as far as the archive knows them, oldest first: without attempts. */
export async function readKeptLives(own: Pool, queue: string, letterId: string): Promise<Life[]> {
  const chain = await many(own, CHAIN, Row, [queue, letterId, LIVES_MAX]);
  const lives = chain.map((row, index): Life => {
    const before = chain[index - 1];
    return {
      ...common(row),
      jobId: row.job_id ?? row.letter_id,
      letterId: row.letter_id,
      requeuedFrom: before?.letter_id ?? null,
      startedMs: before?.requeued_ms ?? null,
      endedMs: row.died_ms,
      end: "dead",
    };
  });
  const last = chain.at(-1);
  return last ? [...lives, ...lastLife(last)] : lives;
}

const common = ({ source }: Row) => ({ source: shownLabel(source), attempts: [], attemptsKept: false });

/** The life after the last letter, where one is known of. */
function lastLife(row: Row): Life[] {
  const end = endOf(row.state);
  if (end === null || row.requeued_job_id === null) return [];
  const begun = { jobId: row.requeued_job_id, requeuedFrom: row.letter_id, startedMs: row.requeued_ms };
  return [{ ...common(row), ...begun, letterId: null, endedMs: end === "waiting" ? null : row.state_ms, end }];
}

function endOf(state: ArchivedState): Exclude<Life["end"], "dead"> | null {
  switch (state) {
    case "awaiting":
    case "requeued_elsewhere":
      return "waiting";
    case "recovered":
    case "superseded":
    case "left_unproved":
      return state;
    case "open":
    case "resolved":
    case "left_elsewhere":
    case "died_again":
      return null;
    default:
      return state satisfies never;
  }
}
