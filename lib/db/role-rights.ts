import { z } from "zod";
import { one, type Queryable, type Sql } from "./pg";

const TABLES_NAMED = 3;

// Of tables, whatever lies outside the console's own schema: there it may work, and the audit has a sentence of its own.
const READ: Sql = {
  name: "role_rights",
  text: `with foreign_tables as (
      select c.oid, c.relname, n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'backstop')
    ), writable as (
      select relname from foreign_tables where has_table_privilege(oid, 'insert, update, delete, truncate') order by relname
    )
    select r.rolname as role, r.rolsuper as super, r.rolcreaterole as "createRole", r.rolcreatedb as "createDatabase",
      r.rolbypassrls as "bypassRls", r.rolreplication as replication,
      array(select relname::text from writable limit ${TABLES_NAMED}) as tables, (select count(*)::int from writable) as "tableCount",
      array(select n.nspname::text from pg_namespace n where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'backstop')
        and has_schema_privilege(n.oid, 'create') order by 1 limit ${TABLES_NAMED}) as schemas
    from pg_roles r where r.rolname = current_user`,
};

const Row = z.object({
  role: z.string(),
  super: z.boolean(),
  createRole: z.boolean(),
  createDatabase: z.boolean(),
  bypassRls: z.boolean(),
  replication: z.boolean(),
  tables: z.array(z.string()),
  tableCount: z.number(),
  schemas: z.array(z.string()),
});

/** What the role of a connection may do that a desk never needs, as one sentence; null: nothing. Throws when it cannot be asked. */
export async function wideRoleRights(db: Queryable): Promise<string | null> {
  const row = await one(db, READ, Row);
  const may = row.super ? ["do anything: it is a superuser"] : rightsOf(row);
  return may.length === 0 ? null : `The role ${row.role} may ${listed(may)}.`;
}

function rightsOf(row: z.output<typeof Row>): string[] {
  const more = row.tableCount - row.tables.length;
  const tables = `${row.tables.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return [
    ...(row.tableCount > 0 ? [`write ${tables}`] : []),
    ...(row.schemas.length > 0 ? [`create tables in ${row.schemas.join(", ")}`] : []),
    ...(row.createRole ? ["make roles"] : []),
    ...(row.createDatabase ? ["make databases"] : []),
    ...(row.bypassRls ? ["pass row security by"] : []),
    ...(row.replication ? ["start replication"] : []),
  ];
}

/** `a`, `a and b`, `a, b and c` */
export function listed(words: readonly string[]): string {
  const [last, ...rest] = words.toReversed();
  return rest.length === 0 ? (last ?? "") : `${rest.toReversed().join(", ")} and ${last}`;
}
