import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";
import { fingerprint } from "@/lib/domain/fingerprint";
import { groupBy } from "@/lib/domain/group";
import type { Finding } from "@/lib/domain/preflight";
import { utcFull } from "@/lib/domain/time";

const CODE = "died_again";

/** Deaths before this one that are counted; more is told as "or more". */
const DEATHS_MAX = 20;

/** $1 letter ids · $2 most steps back. On the seed's columns alone: the letter whose requeued job died into this one. */
const DEATHS: Sql = {
  name: "persistence_letter_deaths",
  text: `with recursive back as (
      select dead_letter_id as of_letter, dead_letter_id, retry_job_id, 0 as step
        from persistence_job_dead_letters where dead_letter_id = any($1::uuid[])
      union all
      select b.of_letter, p.dead_letter_id, p.retry_job_id, b.step + 1
        from back b join persistence_job_dead_letters p on p.requeued_retry_job_id = b.retry_job_id
       where b.step < $2::int
    )
    select b.of_letter::text, b.step, l.dead_letter_id::text as letter_id, ${ms("l.dead_lettered_at")} as died_ms,
        case when b.step < 2 then left(l.error, 1024) end as error
      from back b join persistence_job_dead_letters l on l.dead_letter_id = b.dead_letter_id
      order by b.of_letter, b.step`,
};

const DeathRow = z.object({
  of_letter: z.string(),
  step: z.number(),
  letter_id: z.string(),
  died_ms: z.number(),
  error: z.string().nullable(),
});

/** For each letter how often its work was requeued before and died again. */
export async function diedAgainFindings(pool: Pool, letterIds: string[]): Promise<Map<string, Finding>> {
  const rows = await many(pool, DEATHS, DeathRow, [letterIds, DEATHS_MAX]);
  const found = new Map<string, Finding>();
  for (const [id, deaths] of groupBy(rows, (row) => row.of_letter)) {
    const [self, before] = deaths;
    if (self === undefined) continue;
    found.set(id, before === undefined ? NEVER : diedAgain(deaths.length - 1, self, before));
  }
  return found;
}

const NEVER: Finding = { code: CODE, severity: "ok", title: "Not requeued before", evidence: [] };

type Death = z.output<typeof DeathRow>;

function diedAgain(times: number, self: Death, before: Death): Finding {
  const many = times >= DEATHS_MAX ? `${times} times or more` : `${times} times`;
  const same = fingerprint(self.error ?? "") === fingerprint(before.error ?? "");
  return {
    code: CODE,
    severity: "warn",
    title:
      times === 1
        ? "This work was requeued once and died again"
        : `This work was requeued ${many} and died again each time`,
    reason: same
      ? "The last time it died with the same error as before: another requeue alone will not help."
      : "The last time it died with another error than before.",
    evidence: [
      { label: "last death", value: utcFull(self.died_ms) },
      {
        label: "death before",
        value: `${utcFull(before.died_ms)}, ${same ? "the same error" : "another error"}`,
        href: `/dead-letters/persistence-retry/${before.letter_id}`,
      },
    ],
    whatToDo: "find what makes it fail and mend that first.",
    acknowledgement: "It died after a requeue before. I know what is different now.",
  };
}
