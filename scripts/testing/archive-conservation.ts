import type pg from "pg";

/**
 * $1 queue · $2 letters that their store has forgotten. What must be said of each letter, by the store that it is in,
 * by the audit of who decided what, and by nothing that the archive itself says. For stores without a job that waits.
 */
const VIOLATIONS = `
  with stored as (
    select l.dead_letter_id::text as id, l.dead_lettered_at as died_at, l.retry_job_id::text as job_id, l.job_kind as kind,
        l.character_id::text as subject_id, l.failed_attempts as attempts, octet_length(l.error) as error_bytes,
        sha256(convert_to(l.payload, 'UTF8')) as hash, l.requeued_at is not null as requeued,
        l.requeued_retry_job_id::text as new_job_id, l.requeued_from::text as earlier, o.outcome,
        o.next_dead_letter_id::text as later
      from public.persistence_job_dead_letters l
      left join public.persistence_retry_outcomes o on o.retry_job_id = l.requeued_retry_job_id
  ), decided as (
    select distinct on (id) id, action
      from backstop.audit a cross join lateral jsonb_array_elements_text(a.target -> 'letterIds') as id
     where a.action in ('resolve', 'reopen') and a.phase = 'outcome' and not (a.detail -> 'left') ? id
     order by id, a.audit_id desc
  ), kept as (
    select k.*, count(*) over (partition by k.letter_id) as times from backstop.dead_letters k where k.queue = $1
  ), due as (
    select k.letter_id, case
        when s.id is null then 'left_elsewhere'
        when not s.requeued then case d.action when 'resolve' then 'resolved' else 'open' end
        else coalesce(s.outcome, 'left_unproved') end as state
      from kept k left join stored s on s.id = k.letter_id left join decided d on d.id = k.letter_id
  )
  select id || ' is in its store and not kept' as what from stored where id not in (select letter_id from kept)
  union all select id || ' is forgotten and not kept' from unnest($2::text[]) as id where id not in (select letter_id from kept)
  union all select letter_id || ' is kept ' || times || ' times' from kept where times > 1
  union all
  select letter_id || ' is kept and was never there' from kept
   where letter_id not in (select id from stored) and letter_id <> all($2::text[])
  union all
  select s.id || ' is kept as another' from kept k join stored s on s.id = k.letter_id
   where (k.died_at, k.job_id, k.kind, k.subject_id, k.attempts, k.error_bytes, k.payload_hash)
     is distinct from (s.died_at, s.job_id, s.kind, s.subject_id, s.attempts, s.error_bytes, s.hash)
  union all
  select letter_id || ' is kept as ' || k.state || ' and is ' || due.state from kept k join due using (letter_id)
   where k.state <> due.state
  union all
  select s.id || ' is linked otherwise' from kept k join stored s on s.id = k.letter_id
   where (k.requeued_from, k.next_letter_id, k.requeued_job_id) is distinct from (s.earlier, s.later, s.new_job_id)
  union all
  select 'group ' || group_id || ' begins and ends otherwise than its letters' from backstop.error_groups g
    left join (select group_id, min(died_at) as first, max(died_at) as last from kept group by 1) as of using (group_id)
   where g.queue = $1 and (g.first_seen_at, g.last_seen_at) is distinct from (of.first, of.last)`;

/**
 * What is wrong with the archive, in sentences with the ids in them: each letter kept once, none missing, in its right
 * state, linked as its store says, in a group that begins and ends with its letters.
 * @param admin may see the game's tables and the desk's, which are in one database
 * @param forgotten letters that were kept and are gone from their store
 */
export async function archiveViolations(admin: pg.Pool, forgotten: readonly string[] = []): Promise<string[]> {
  const { rows } = await admin.query(VIOLATIONS, ["persistence-retry", forgotten]);
  return rows.map((row) => `letter ${row.what}`.replace("letter group", "group"));
}
