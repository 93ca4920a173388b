import type { Sql } from "@/lib/db/pg";

/** A column that a payload overwrites. Every value is a parameter of type text, and this is what it becomes. */
export type Column = { column: string; type: "text" | "bigint" | "numeric" };

/**
 * The two statements of a kind that overwrites one row of the table of its name, from one list of columns: `$1`
 * character, `$2` realm, then the columns' values in order.
 */
export function overwrittenRow(kind: string, columns: readonly Column[]): { apply: Sql; effects: Sql } {
  const payload = (index: number) => `$${index + 3}::text`;
  const after = ({ type }: Column, index: number) => `${payload(index)}::${type}`;
  const names = columns.map(({ column }) => column);
  return {
    apply: {
      name: `apply_${kind}`,
      text: `
        insert into ${kind} (character_id, ${names.join(", ")}, changed_at)
        select character_id, ${columns.map(after).join(", ")}, clock_timestamp()
          from characters where character_id = $1 and realm_id = $2
        on conflict (character_id) do update
          set ${names.map((name) => `${name} = excluded.${name}`).join(", ")}, changed_at = excluded.changed_at`,
    },
    effects: {
      name: `effects_${kind}`,
      text: `
        select f.field, f.payload, f.now, f.after, f.change
          from (select 1) as one
          left join characters c on c.character_id = $1 and c.realm_id = $2
          left join ${kind} r on r.character_id = c.character_id
          cross join lateral (values
            ${columns
              .map(
                (column, index) => `(
              '${column.column}', ${payload(index)}, r.${column.column}::text,
              case when c.character_id is not null then (${after(column, index)})::text end,
              case when r.${column.column} = ${after(column, index)} then 'same' else 'sets' end)`,
              )
              .join(",")}
          ) as f(field, payload, now, after, change)`,
    },
  };
}
