import { z } from "zod";
import { many, one, type Queryable, type Sql } from "@/lib/db/pg";
import type { AuditContent, HeadLink, Link } from "./chain";
import { CONTENT_COLUMNS, ContentRow, contentOf } from "./columns";

/** A row of the audit as it stands; `link` is null for one of before the chain, or one that lost part of it. */
export type StoredRow = { id: string; content: AuditContent; link: Link | null; hash: string | null };
/** A line of the heads as it stands. `before`: the line of the row before it in its chain, by the heads. */
export type StoredHead = HeadLink & { head: string; before: { id: string; hash: string } | null };
/** What stands under one number: in the audit, in the heads, or in both. */
export type ChainLine = { id: string; row: StoredRow | null; head: StoredHead | null };

const PAGE = 1_000;

/** Both tables, by number. $1 after which · $2 up to which · $3 limit. */
const READ: Sql = {
  name: "audit_chain_read",
  text: `with ids as (
      select audit_id from (
        (select audit_id from backstop.audit where audit_id > $1::bigint and audit_id <= $2::bigint order by audit_id limit $3)
        union
        (select audit_id from backstop.audit_heads where audit_id > $1::bigint and audit_id <= $2::bigint order by audit_id limit $3)
      ) u order by audit_id limit $3)
    select ids.audit_id::text as id, a.audit_id is not null as stands, a.chain, a.place, encode(a.previous, 'hex') as previous,
      encode(a.hash, 'hex') as hash, ${CONTENT_COLUMNS},
      h.chain as head_chain, h.place as head_place, encode(h.hash, 'hex') as head_hash,
      encode(h.previous, 'hex') as head_previous, encode(h.head, 'hex') as head,
      p.audit_id::text as before_id, encode(p.hash, 'hex') as before_hash
    from ids left join backstop.audit a using (audit_id) left join backstop.audit_heads h using (audit_id)
    left join backstop.audit_heads p on p.chain = h.chain and p.place = h.place - 1
    order by ids.audit_id`,
};

const text = z.string().nullable();
const Row = ContentRow.extend({
  id: z.string(),
  stands: z.boolean(),
  chain: text,
  place: z.number().nullable(),
  previous: text,
  hash: text,
  head_chain: text,
  head_place: z.number().nullable(),
  head_hash: text,
  head_previous: text,
  head: text,
  before_id: text,
  before_hash: text,
}).transform((row): ChainLine => {
  const { id, chain, place, previous, hash, before_id, before_hash } = row;
  const link = chain === null || place === null || previous === null ? null : { id, chain, place, previous };
  const { head_chain, head_place, head_hash, head_previous, head } = row;
  const before = before_id === null || before_hash === null ? null : { id: before_id, hash: before_hash };
  const isHead = head !== null && head_chain !== null && head_place !== null;
  return {
    id,
    row: row.stands ? { id, content: contentOf(row), link, hash } : null,
    head: isHead
      ? { id, chain: head_chain, place: head_place, hash: head_hash ?? "", previous: head_previous ?? "", head, before }
      : null,
  };
});

const LAST: Sql = {
  name: "audit_chain_last",
  text: `select coalesce((select max(audit_id) from backstop.audit), 0)::text as row,
    coalesce((select max(audit_id) from backstop.audit_heads), 0)::text as head`,
};

/** The highest number in the audit and in the heads; "0": there is none. Rows that come later are not of this look. */
export function readLast(db: Queryable): Promise<{ row: string; head: string }> {
  return one(db, LAST, z.object({ row: z.string(), head: z.string() }));
}

/** Before every number. */
const START = "-9223372036854775808";

/** All lines after one number and up to another, in order, some at a time. */
export async function* readChain(db: Queryable, upTo: string, from = START): AsyncGenerator<ChainLine[]> {
  for (let after = from; ; ) {
    const lines = await many(db, READ, Row, [after, upTo, PAGE]);
    if (lines.length > 0) yield lines;
    const last = lines.at(-1);
    if (last === undefined || lines.length < PAGE) return;
    after = last.id;
  }
}

/** Which of some lines of chains have a row before them, and one after them. $1 chains · $2 places, pair by pair. */
const AROUND: Sql = {
  name: "audit_chain_around",
  text: `select exists (select from backstop.audit a where a.chain = m.chain and a.place < m.place) as before,
      exists (select from backstop.audit a where a.chain = m.chain and a.place > m.place) as after
    from unnest($1::text[], $2::int[]) with ordinality as m (chain, place, n) order by m.n`,
};

/** In the order in which they were given. */
export function readAround(db: Queryable, lines: readonly { chain: string; place: number }[]) {
  const values = [lines.map(({ chain }) => chain), lines.map(({ place }) => place)];
  return many(db, AROUND, z.object({ before: z.boolean(), after: z.boolean() }), values);
}
