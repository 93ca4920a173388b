import type { ArchiveFilter } from "@/lib/domain/archived-letter";
import { QueueName } from "@/lib/domain/queue";
import type { Search } from "./search";

/** Letters of a filter: what a statement selects from, its conditions, and their parameters from $1 on. */
export type FilterSql = {
  /** Tells apart the statements of filters with other parts set. */
  name: string;
  /** To be selected from, as `l`. */
  from: string;
  where: string;
  values: unknown[];
};

const COLUMNS = `queue, letter_id, generation, died_at, job_id, kind, subject_id, subject_name, labels, attempts, error,
  error_bytes, group_id, state, state_at, requeued_at, requeued_job_id, requeued_from, next_letter_id, resolved_at,
  resolved_reason, archived_at`;
const WORDS = "to_tsvector('simple', left(error, 1024))";

/**
 * A filter as SQL, of fixed fragments: the planner sees only the conditions that are set. What is searched for in
 * several places is a union of what each index finds, and no letter twice.
 */
export function filterSql(filter: ArchiveFilter, search: Search | null): FilterSql {
  const values: unknown[] = [];
  const names: string[] = [];
  const given = (name: string, value: unknown) => {
    names.push(name);
    values.push(value);
    return `$${values.length}`;
  };
  const from = search ? searched(search, given) : "backstop.dead_letters";
  const where: string[] = [];
  const { queue, states, kind, subject, realm, group, tokenHash, fromMs, toMs } = filter;
  const [onlyState] = states ?? [];
  if (queue !== undefined) where.push(`l.queue = ${given("queue", queue)}`);
  if (states?.length === 1) where.push(`l.state = ${given("state", onlyState)}`);
  else if (states?.length) where.push(`l.state = any(${given("states", states)})`);
  if (kind !== undefined) where.push(`l.kind = ${given("kind", kind)}`);
  if (subject !== undefined) where.push(`l.subject_id = ${given("subject", subject)}`);
  if (realm !== undefined) where.push(`l.labels ->> 'realm' = ${given("realm", realm)}`);
  if (group !== undefined) where.push(`l.group_id = ${given("group", group)}::bigint`);
  if (tokenHash !== undefined) where.push(`l.token_hash = decode(${given("token", tokenHash)}, 'hex')`);
  if (fromMs !== undefined) where.push(`l.died_at >= to_timestamp(${given("from", fromMs)}::float8 / 1000)`);
  if (toMs !== undefined) where.push(`l.died_at < to_timestamp(${given("to", toMs)}::float8 / 1000)`);
  return { name: names.join("_") || "all", from: `${from} l`, where: where.join(" and ") || "true", values };
}

function searched(search: Search, given: (name: string, value: unknown) => string): string {
  const branch = (condition: string) => `select ${COLUMNS}, token_hash from backstop.dead_letters where ${condition}`;
  switch (search.kind) {
    case "id": {
      const id = given("id", search.id);
      const queues = given("queues", QueueName.options);
      const letter = `(queue = any(${queues}) and letter_id = ${id})`;
      return `(${[
        branch(letter),
        branch(`job_id = ${id} and letter_id <> ${id}`),
        branch(`subject_id = ${id} and letter_id <> ${id} and job_id is distinct from ${id}`),
      ].join(" union all ")})`;
    }
    case "words": {
      const text = given("words", search.text);
      const named = `lower(subject_name) = lower(${text})`;
      const said = `${WORDS} @@ plainto_tsquery('simple', ${text})`;
      return `(${[branch(named), branch(`${said} and (${named}) is not true`)].join(" union all ")})`;
    }
    case "part": {
      const text = given("part", search.text);
      return `(${branch(`position(lower(${text}) in lower(left(error, 1024))) > 0 or lower(subject_name) = lower(${text})`)})`;
    }
    default:
      return search satisfies never;
  }
}
