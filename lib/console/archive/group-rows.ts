import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import { z } from "zod";
import { execute, many, type Sql } from "@/lib/db/pg";
import { errorTitle } from "@/lib/domain/error-title";
import { FINGERPRINT_VERSION, normalisedError } from "@/lib/domain/fingerprint";

/** What tells a letter's group, beside its queue and kind. */
export type Print = { fingerprint: string; title: string };
/** `open`: nobody is done with it. */
export type Grouped = { kind: string; print: Print; diedAt: string; open: boolean };

/** Errors of one cause come in thousands, often with one text: worked out once, and their title in any case. */
const KNOWN_MAX = 2_000;
const fingerprints = new Map<string, string>();
const titles = new Map<string, string>();
/** More of a text than its fingerprint reads. */
const READ_MAX = 16_384;

/** What an error that is already masked tells its group by. The dearest step of a letter but its payload: 60 µs. */
export function printOf(error: string): Print {
  const text = error.slice(0, READ_MAX);
  const fingerprint = remembered(fingerprints, text, () =>
    createHash("sha256").update(normalisedError(text)).digest("hex"),
  );
  return { fingerprint, title: remembered(titles, fingerprint, () => errorTitle(text).toWellFormed()) };
}

function remembered(known: Map<string, string>, key: string, make: () => string): string {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(key, made);
  return made;
}

// No letter died in the future, and what a store says of the years before Unix is no first sight.
const SANE = (at: string) => `greatest(timestamptz '1970-01-01Z', least(${at}, clock_timestamp()))`;

/**
 * $1 queue · $2 version · a list for each group: $3 kinds · $4 fingerprints (hex) · $5 titles · and for each letter:
 * $6 its group's place in those lists, from 1 · $7 its time of death. In one order, so that two keepers wait for each
 * other and neither is stuck.
 */
const UPSERT: Sql = {
  name: "archive_groups_upsert",
  text: `insert into backstop.error_groups as g (queue, kind, version, fingerprint, title, first_seen_at, last_seen_at)
      select $1, kind, $2::int, decode(fingerprint, 'hex'), title, ${SANE("first")}, ${SANE("last")}
        from unnest($3::text[], $4::text[], $5::text[]) with ordinality as seen(kind, fingerprint, title, place)
        join (select place, min(at) as first, max(at) as last from unnest($6::int[], $7::timestamptz[]) as died(place, at)
          group by place) as deaths using (place)
       order by kind, fingerprint
      on conflict (queue, kind, version, fingerprint) do update
        set first_seen_at = least(g.first_seen_at, excluded.first_seen_at),
            last_seen_at = greatest(g.last_seen_at, excluded.last_seen_at)
      returning group_id::text, kind, encode(fingerprint, 'hex') as fingerprint`,
};
const UpsertRow = z.object({ group_id: z.string(), kind: z.string(), fingerprint: z.string() });

/**
 * $1 groups of the open letters · $2 when each died. Regressed: all letters of it were settled or resolved before
 * that. Asked before the new letters are in. With a limit, the first of a group is looked for and not all of them hashed:
 * 46 ms went to 2 ms.
 */
const REGRESS: Sql = {
  name: "archive_groups_regress",
  text: `update backstop.error_groups g set regressed_at = ${SANE("fresh.died_at")}
      from (select group_id, min(died_at) as died_at from unnest($1::bigint[], $2::timestamptz[]) as died(group_id, died_at)
        group by group_id) as fresh
     where g.group_id = fresh.group_id and case
       when (select true from backstop.dead_letters d where d.group_id = fresh.group_id
         and d.state in ('open', 'awaiting', 'requeued_elsewhere') limit 1) then false
       else exists (select from backstop.dead_letters d where d.group_id = fresh.group_id)
         and not exists (select from backstop.dead_letters d where d.group_id = fresh.group_id and d.state_at >= fresh.died_at)
       end`,
};

/** Finds or makes the groups of some new letters; answers their ids in the letters' order. */
export async function groupRows(client: PoolClient, queue: string, letters: readonly Grouped[]): Promise<string[]> {
  const keyOf = ({ kind, fingerprint }: { kind: string; fingerprint: string }) => `${fingerprint} ${kind}`;
  const prints = letters.map(({ kind, print }) => ({ kind, ...print }));
  const groups = [...new Map(prints.map((print) => [keyOf(print), print])).values()];
  const placeOf = new Map(groups.map((group, index) => [keyOf(group), index + 1]));
  const rows = await many(client, UPSERT, UpsertRow, [
    queue,
    FINGERPRINT_VERSION,
    groups.map(({ kind }) => kind),
    groups.map(({ fingerprint }) => fingerprint),
    groups.map(({ title }) => title),
    prints.map((print) => placeOf.get(keyOf(print))),
    letters.map(({ diedAt }) => diedAt),
  ]);
  const idOf = new Map(rows.map((row) => [keyOf(row), row.group_id]));
  const ids = prints.map((print) => {
    const id = idOf.get(keyOf(print));
    if (id === undefined) throw new Error("a group that was just made is not there");
    return id;
  });
  const open = letters.flatMap((letter, index) => (letter.open ? [{ id: ids[index], diedAt: letter.diedAt }] : []));
  if (open.length > 0) await execute(client, REGRESS, [open.map(({ id }) => id), open.map(({ diedAt }) => diedAt)]);
  return ids;
}
