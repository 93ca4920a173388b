import { createHash, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { ArchivedState } from "@/lib/domain/archived-letter";
import { errorTitle } from "@/lib/domain/error-title";
import { FINGERPRINT_VERSION, normalisedError } from "@/lib/domain/fingerprint";

const KINDS = ["combat_rewards", "gameplay_state", "character_location", "character_equipment", "character_appearance"];

/** Causes in words; `%s` differs from letter to letter. */
const CAUSES = [
  'ERROR 23503: insert or update on table "reward_ledger" violates foreign key constraint "reward_ledger_zone_id_fkey" DETAIL: Key (zone_id)=(%s) is not present in table "zone_catalog".',
  "canceling statement due to statement timeout (%s ms)",
  "connect ECONNREFUSED 10.0.0.7:%s",
  "ERROR 40P01: deadlock detected in the vault, process %s waits",
];

/** The error of a cause, for one letter. */
const causeOf = (group: number) => {
  const cause = CAUSES[group % CAUSES.length] ?? "";
  return group < CAUSES.length
    ? cause
    : `${cause} in module ${WORDS[Math.floor(group / CAUSES.length) % WORDS.length]}`;
};
const WORDS = "amber birch cobalt dune ember fjord grove heron iris jasper kelp lotus maple nettle opal pearl".split(
  " ",
);

export type Fill = {
  letters: number;
  /** They died within so many days before now, evenly. */
  days: number;
  /** Causes, at most 64; half of the letters are of the first, a quarter of the second, and so on. */
  groups?: number;
  characters?: number;
};

/**
 * Fills the archive with letters, evenly over time, 6 of 10 open, by one statement. Letter number n is `md5('letter' || n)`
 * as a uuid, of the character numbered `n mod characters`.
 */
export async function fillArchive(own: Pool, { letters, days, groups = 12, characters = 500 }: Fill): Promise<void> {
  await makeMonths(own, days);
  const ids: string[] = [];
  for (let group = 0; group < groups; group += 1) {
    const queue = group % 10 === 9 ? "session-lifecycle" : "persistence-retry";
    ids.push(
      await makeGroup(own, { queue, kind: KINDS[group % KINDS.length] ?? "", error: causeOf(group), daysAgo: days }),
    );
  }
  const causes = ids.map((_, group) => causeOf(group));
  await own.query(
    `insert into backstop.dead_letters (queue, letter_id, died_at, job_id, kind, subject_id, subject_name, labels, attempts,
       error, error_bytes, payload, payload_bytes, payload_hash, group_id, state, state_at, archived_at)
     select g.queue, md5('letter' || n)::uuid::text,
       clock.now - make_interval(secs => $2::float8 * 86400 * (1 - n / $1::float8)), md5('job' || n)::uuid::text, g.kind,
       md5('character' || n % $3)::uuid::text, 'Wanderer ' || n % $3,
       jsonb_build_object('realm', 'realm-' || n % 3, 'zone', 'zone-' || n % 7, 'source', 'zone-server-' || n % 5), 8,
       replace(c.error, '%s', (n % 9973)::text), length(c.error), '{"n":' || n || '}', 10, decode(md5(n::text), 'hex'),
       g.group_id, (array['open','open','open','open','open','open','recovered','recovered','died_again','resolved'])[n % 10 + 1],
       clock.now, clock.now - make_interval(secs => $2::float8 * 86400 * (1 - n / $1::float8)) + interval '1 second'
     from (select clock_timestamp() as now) clock, generate_series(1, $1::int) as n
       cross join lateral (select least(array_length($4::text[], 1) - 1,
         floor(-ln(((n::bigint * 7919) % 100003 + 1) / 100004.0) / ln(2))::int) + 1 as i) pick
       cross join lateral (select ($4::text[])[pick.i] as id, ($5::text[])[pick.i] as error) c
       join backstop.error_groups g on g.group_id = c.id::bigint`,
    [letters, days, characters, ids, causes],
  );
  await own.query(`update backstop.error_groups e set first_seen_at = f.first_at, last_seen_at = f.last_at
    from (select group_id, min(died_at) as first_at, max(died_at) as last_at from backstop.dead_letters group by 1) f
    where f.group_id = e.group_id`);
}

/** Partitions of the months of the last `days` days and of the next. */
export async function makeMonths(own: Pool, days: number): Promise<void> {
  await own.query(
    `select backstop.make_dead_letters_month(m::date) from generate_series(
       date_trunc('month', (statement_timestamp() at time zone 'utc') - make_interval(days => $1)),
       date_trunc('month', (statement_timestamp() at time zone 'utc') + interval '1 month'), interval '1 month') as m`,
    [Math.ceil(days)],
  );
}

type Group = { queue?: string; kind?: string; error: string; daysAgo?: number };

/** An error group, or the one that there is already. Gives its id. */
export async function makeGroup(own: Pool, group: Group): Promise<string> {
  const { queue = "persistence-retry", kind = "combat_rewards", error, daysAgo = 0 } = group;
  const said = error.replace("%s", "17");
  const { rows } = await own.query(
    `insert into backstop.error_groups (queue, kind, version, fingerprint, title, first_seen_at, last_seen_at)
     values ($1, $2, $3, $4, $5, clock_timestamp() - make_interval(secs => $6::float8 * 86400), clock_timestamp())
     on conflict (queue, kind, version, fingerprint) do update set last_seen_at = excluded.last_seen_at
     returning group_id::text`,
    [
      queue,
      kind,
      FINGERPRINT_VERSION,
      createHash("sha256").update(normalisedError(said)).digest(),
      errorTitle(said),
      daysAgo,
    ],
  );
  return rows[0].group_id;
}

export type LetterMade = {
  id?: string;
  queue?: string;
  jobId?: string;
  kind?: string;
  subjectId?: string;
  subjectName?: string | null;
  realm?: string;
  zone?: string;
  error?: string;
  state?: ArchivedState;
  /** ISO 8601, as exact as the database keeps it. */
  diedAt?: string;
  requeuedAt?: string | null;
  tokenHash?: string | null;
};

/** One letter of the archive, with its group. Gives its id and its group's. */
export async function archiveLetter(own: Pool, made: LetterMade = {}): Promise<{ id: string; groupId: string }> {
  const { queue = "persistence-retry", kind = "combat_rewards", error = "canceling statement (5 ms)" } = made;
  const groupId = await makeGroup(own, { queue, kind, error });
  const id = made.id ?? randomUUID();
  await own.query(
    `insert into backstop.dead_letters (queue, letter_id, died_at, job_id, kind, subject_id, subject_name, labels, attempts,
       error, error_bytes, payload, payload_bytes, payload_hash, token_hash, group_id, state, state_at, requeued_at)
     values ($1, $2, coalesce($3::timestamptz, clock_timestamp()), $4, $5, $6, $7, $8, 8, $9, octet_length($9), '{}', 2,
       '\\x00', decode($10, 'hex'), $11, $12, clock_timestamp(), $13)`,
    [
      queue,
      id,
      made.diedAt ?? null,
      made.jobId ?? randomUUID(),
      kind,
      made.subjectId ?? randomUUID(),
      made.subjectName ?? null,
      JSON.stringify({ realm: made.realm ?? "realm-1", zone: made.zone ?? "harbour" }),
      error,
      made.tokenHash ?? null,
      groupId,
      made.state ?? "open",
      made.requeuedAt ?? null,
    ],
  );
  return { id, groupId };
}
