import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";
import type { ChartMark } from "@/lib/domain/history";
import { utcClock } from "@/lib/domain/time";

/** More marks than this hide the plot: then the newest are shown. */
const MARKS_MAX = 20;

const between = (time: string) =>
  `${time} >= to_timestamp($1::float8 / 1000) and ${time} < to_timestamp($2::float8 / 1000)`;

/** $1 start · $2 end (ms) · $3 at most. Decisions to requeue that were sent, what was done to the demo, and what somebody marked; the newest first. */
const MARKS: Sql = {
  name: "history_marks",
  text: `select * from (
      (select ${ms("o.intended_at")} as at_ms, 'requeue' as what, o.queue, u.display_name as who,
          (select count(*)::int from backstop.operation_items i where i.operation_id = o.operation_id) as letters,
          (select min(i.letter_id) from backstop.operation_items i where i.operation_id = o.operation_id) as letter_id,
          null as word
        from backstop.operations o join backstop.users u on u.user_id = o.planned_by
        where o.intended_at is not null and ${between("o.intended_at")} order by o.intended_at desc limit $3)
      union all
      (select ${ms("a.at")}, a.action, null, a.actor_name, 0, a.target->>'demo', null from backstop.audit a
        where a.action like 'demo\\_%' and a.phase = 'outcome' and a.outcome = 'done' and ${between("a.at")}
        order by a.at desc limit $3)
      union all
      (select ${ms("a.at")}, a.action, null, a.actor_name, 0, a.detail->>'text', a.target->>'word' from backstop.audit a
        where a.action = 'mark' and a.phase = 'outcome' and ${between("a.at")}
        order by a.at desc limit $3)) as marks
    order by at_ms desc limit $3`,
};
const Row = z.object({
  at_ms: z.number(),
  what: z.string(),
  queue: z.string().nullable(),
  who: z.string(),
  letters: z.number(),
  letter_id: z.string().nullable(),
  word: z.string().nullable(),
});

/** What was done in this stretch of time, in its order. */
export async function readMarks(own: Pool, fromMs: number, toMs: number): Promise<ChartMark[]> {
  const rows = await many(own, MARKS, Row, [fromMs, toMs, MARKS_MAX]);
  return rows.reverse().map(markOf);
}

function markOf(row: z.infer<typeof Row>): ChartMark {
  switch (row.what) {
    case "requeue":
      return requeueMark(row);
    case "mark": {
      const { at_ms, who, word, letter_id: text } = row;
      return { atMs: at_ms, word: word ?? "mark", text: `${utcClock(at_ms)} UTC: ${text} (${who})`, href: null };
    }
    default:
      return demoMark(row);
  }
}

function requeueMark({ at_ms, queue, who, letters, letter_id }: z.infer<typeof Row>): ChartMark {
  const what = letters === 1 ? "1 letter" : `${letters.toLocaleString("en-US")} letters`;
  return {
    atMs: at_ms,
    word: "requeue",
    text: `${utcClock(at_ms)} UTC: ${who} requeued ${what} of ${queue}`,
    href: letter_id === null ? null : `/dead-letters/${queue}/${encodeURIComponent(letter_id)}`,
    queue,
  };
}

const DEMO_WORDS: Record<string, [string, string]> = {
  demo_break: ["broken", "broke the demo's"],
  demo_mend: ["mended", "mended the demo's"],
  demo_fault_begin: ["fault", "made the demo's fault"],
  demo_fault_end: ["fault over", "ended the demo's fault"],
};

function demoMark({ at_ms, what, who, letter_id }: z.infer<typeof Row>): ChartMark {
  const [word, did] = DEMO_WORDS[what] ?? ["demo", "changed the demo's"];
  return { atMs: at_ms, word, text: `${utcClock(at_ms)} UTC: ${who} ${did} ${letter_id ?? "world"}`, href: null };
}
