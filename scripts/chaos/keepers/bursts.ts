import { randomUUID } from "node:crypto";
import type pg from "pg";
import { newRetryJob } from "@/lib/engine/persistence-retry/queue";
import type { Chaos } from "@/scripts/chaos/chaos";
import { makeWork } from "@/scripts/chaos/make-work";
import { count } from "@/scripts/chaos/tally";

const ERRORS = [
  'ERROR 23503: insert or update on table "reward_ledger" violates foreign key constraint "reward_ledger_zone_id_fkey" DETAIL: Key (zone_id)=(%s) is not present in table "zone_catalog".',
  "canceling statement due to statement timeout (%s ms)",
  "connect ECONNREFUSED 10.0.0.7:%s",
];

/** $1 ids · $2 jobs · $3 kinds · $4 characters · $5 realms · $6 zones · $7 payloads · $8 errors · $9 how long ago, at most. */
const INSERT = `
  insert into persistence_job_dead_letters (dead_letter_id, retry_job_id, job_kind, character_id, realm_id, zone_id, payload,
      failed_attempts, error, dead_lettered_at)
    select id, job, kind, person, realm, zone, payload, 8, error, clock_timestamp() - random() * $9::interval
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[])
        as died(id, job, kind, person, realm, zone, payload, error)`;

/** Kept and dead, of work that has only had one life: nothing else tells of it. $1 jobs · $2 at most. */
const FORGET = `
  with gone as (
    select l.dead_letter_id from public.persistence_job_dead_letters l
      join backstop.dead_letters k on k.queue = 'persistence-retry' and k.letter_id = l.dead_letter_id::text
     where l.retry_job_id = any($1::uuid[]) and l.requeued_at is null order by random() limit $2)
  delete from public.persistence_job_dead_letters l using gone
    where l.dead_letter_id = gone.dead_letter_id and l.requeued_at is null
    returning l.dead_letter_id::text as id, l.retry_job_id::text as job`;

export type Bursts = {
  /** Letters as a fault makes them, many in one commit, which may come long after their deaths. */
  die(letters: number, ago: string): Promise<void>;
  /** Some of them are deleted from their store, as a game server trims its own. */
  forget(letters: number): Promise<void>;
  /** Those that their store has forgotten. */
  forgotten: string[];
};

/** @param admin may see and change everything */
export function openBursts({ pool, book, world, random, tally }: Chaos, admin: pg.Pool): Bursts {
  const jobs = new Set<string>();
  const forgotten: string[] = [];
  return {
    forgotten,
    async die(letters, ago) {
      const made = await Promise.all(
        Array.from({ length: letters }, () => makeWork(pool, world, random, random.chance(0.5))),
      );
      const works = made.map(({ work }) => work);
      for (const work of works) book.works.set(work.retryJobId, work);
      const rows = made.map(({ work, job }) => newRetryJob(work.retryJobId, job, null));
      // Every burst has a cause of its own beside the common ones.
      const causes = [...ERRORS, `the vault of ${randomUUID().replaceAll(/[^a-f]/g, "")} is shut (%s)`];
      await pool.query(INSERT, [
        rows.map(() => randomUUID()),
        rows.map((row) => row.retryJobId),
        rows.map((row) => row.jobKind),
        rows.map((row) => row.characterId),
        rows.map((row) => row.realmId),
        rows.map((row) => row.zoneId),
        rows.map((row) => row.payload),
        rows.map(() => random.pick(causes).replace("%s", String(random.int(1, 9_999)))),
        ago,
      ]);
      for (const work of works) {
        work.told = "durable";
        jobs.add(work.retryJobId);
      }
      count(tally, "letters of bursts", letters);
    },
    async forget(letters) {
      const { rows } = await admin.query(FORGET, [[...jobs], letters]);
      for (const { id, job } of rows) {
        forgotten.push(id);
        jobs.delete(job);
        book.works.delete(job);
      }
      count(tally, "letters that their store forgot", rows.length);
    },
  };
}
