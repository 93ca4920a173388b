import { createHash } from "node:crypto";
import type { ArchiveFilter } from "@/lib/domain/archived-letter";
import { QueueName } from "@/lib/domain/queue";
import type { Place, Search } from "./search";

/** Letters of a filter: what a statement selects from, its conditions, and their parameters from $1 on. */
export type FilterSql = {
  /** The name of a statement of this filter: another one for filters with other parts set. */
  named: (what: string) => string;
  /** To be selected from, as `l`. */
  from: string;
  where: string;
  values: unknown[];
};

const COLUMNS = `queue, letter_id, generation, died_at, job_id, kind, subject_id, subject_name, labels, attempts, error,
  error_bytes, group_id, state, state_at, requeued_at, requeued_job_id, requeued_from, next_letter_id, resolved_at,
  resolved_reason, archived_at, token_hash`;

/**
 * A filter as SQL, of fixed fragments: the planner sees only the conditions that are set. What is searched for in
 * several places is a union of what each index finds, and no letter twice.
 * @param within narrows what is searched, before it is looked at: begins with `and`
 */
export function filterSql(filter: ArchiveFilter, search: Search | null, within?: (given: Given) => string): FilterSql {
  const values: unknown[] = [];
  const names: string[] = [];
  const given: Given = (name, value) => {
    names.push(name);
    values.push(value);
    return `$${values.length}`;
  };
  const from = search ? searched(search, within?.(given) ?? "", given) : "backstop.dead_letters";
  const where: string[] = [];
  const { queue, queues, states, kind, subject, realm, group, tokenHash, fromMs, toMs } = filter;
  const [onlyState] = states ?? [];
  if (queue !== undefined) where.push(`l.queue = ${given("queue", queue)}`);
  if (queues !== undefined) where.push(`l.queue = any(${given("only_queues", queues)}::text[])`);
  if (states?.length === 1) where.push(`l.state = ${given("state", onlyState)}`);
  else if (states?.length) where.push(`l.state = any(${given("states", states)})`);
  if (kind !== undefined) where.push(`l.kind = ${given("kind", kind)}`);
  if (subject !== undefined) where.push(`l.subject_id = ${given("subject", subject)}`);
  if (realm !== undefined) where.push(`l.labels ->> 'realm' = ${given("realm", realm)}`);
  if (group !== undefined) where.push(`l.group_id = ${given("group", group)}::bigint`);
  if (tokenHash !== undefined) where.push(`l.token_hash = decode(${given("token", tokenHash)}, 'hex')`);
  if (fromMs !== undefined) where.push(`l.died_at >= to_timestamp(${given("from", fromMs)}::float8 / 1000)`);
  if (toMs !== undefined) where.push(`l.died_at < to_timestamp(${given("to", toMs)}::float8 / 1000)`);
  return {
    named: (what) => nameOf(what, names, search),
    from: `${from} l`,
    where: where.join(" and ") || "true",
    values,
  };
}

/**
 * None for words: how often they occur decides how they are best looked for, and a plan that is kept for any words does
 * not know it. Else a short one: the server's end at 63 characters.
 */
function nameOf(what: string, names: string[], search: Search | null): string {
  if (search?.places.some((place) => place === "words" || place === "part")) return "";
  return `archive_${what}_${createHash("sha256").update(names.join()).digest("hex").slice(0, 12)}`;
}

/** Makes a parameter of a value, and gives its place. `name` tells statements apart. */
export type Given = (name: string, value: unknown) => string;

/** Each place by its own index. */
const PLACES: Record<Place, (text: string, queues: () => string) => string> = {
  letter: (text, queues) => `queue = any(${queues()}::text[]) and letter_id = ${text}`,
  job: (text) => `job_id = ${text}`,
  subject: (text) => `subject_id = ${text}`,
  name: (text) => `lower(subject_name) = lower(${text})`,
  words: (text) => `to_tsvector('simple', left(error, 1024)) @@ plainto_tsquery('simple', ${text})`,
  part: (text) => `position(lower(${text}) in lower(left(error, 1024))) > 0`,
};

function searched({ text, places }: Search, within: string, given: Given): string {
  const sought = given(`search_${places.join("_")}`, text);
  const queues = () => given("queues", QueueName.options);
  const conditions = places.map((place) => PLACES[place](sought, queues));
  const branches = conditions.map((condition, at) => {
    const before = conditions.slice(0, at).map((each) => ` and (${each}) is not true`);
    // A fence where words are looked for: their index is used even where the newest letters seem to hold enough of them.
    const fence = places[at] === "words" ? " offset 0" : "";
    return `(select ${COLUMNS} from backstop.dead_letters where ${condition}${before.join("")}${within}${fence})`;
  });
  return branches.length === 1 ? (branches[0] ?? "") : `(${branches.join(" union all ")})`;
}
