import type pg from "pg";

const LIST = "queue, letter_id, died_at, kind, subject_id, subject_name, attempts, left(error, 400) as error, state";
const NEWEST = "order by died_at desc, letter_id desc limit 101";
const LIST_OF = `select ${LIST} from backstop.dead_letters where`;
const WORDS = "to_tsvector('simple', left(error, 1024)) @@ plainto_tsquery('simple', $1)";

/** What a page asks, as a statement of its own and nothing around it: prepared, for exactly this question. */
const BARE = {
  groups: `select group_id, count(*), min(died_at), max(died_at), count(distinct subject_id),
      count(*) filter (where state = 'open') from backstop.dead_letters where died_at >= $1 group by group_id`,
  histogram: `select date_bin('10 minutes', died_at, '2000-01-01'), state, count(*) from backstop.dead_letters
    where died_at >= $1 group by 1, 2`,
  first: `select ${LIST} from backstop.dead_letters ${NEWEST}`,
  deep: `select ${LIST} from backstop.dead_letters where (died_at, letter_id) < ($1::timestamptz, $2::text) ${NEWEST}`,
  open: `select ${LIST} from backstop.dead_letters where state = $1 ${NEWEST}`,
  id: `(${LIST_OF} queue = 'persistence-retry' and letter_id = $1) union all (${LIST_OF} job_id = $1)
    union all (${LIST_OF} subject_id = $1 ${NEWEST})`,
  name: `select ${LIST} from backstop.dead_letters where lower(subject_name) = lower($1) ${NEWEST}`,
  words: `select ${LIST} from backstop.dead_letters where ${WORDS} ${NEWEST}`,
} as const;

export type BareName = keyof typeof BARE;

export const bareReview = (pool: pg.Pool, name: BareName, values: unknown[]) =>
  pool.query({ name: `bare_${name}`, text: BARE[name], values });
