import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import type pg from "pg";
import { withClient } from "@/scripts/services/prepare-database";

/** Facts by name, so that a difference between two snapshots reads as the things that differ. */
export type Snapshot = Record<string, string>;

const OURS = "('backstop', 'pg_catalog', 'information_schema')";
const foreign = (schema: string) => `${schema} not in ${OURS} and ${schema} !~ '^pg_(toast|temp)'`;

/** What the catalog of one database says of everything outside the schema `backstop`, and of the whole server. */
const CATALOG = `
  select 'schema ' || n.nspname as name, concat_ws(' ', n.nspowner::regrole, n.nspacl) as is
    from pg_namespace n where ${foreign("n.nspname")}
  union all select format('relation %s.%s', n.nspname, c.relname), concat_ws(' ', c.relkind, c.relowner::regrole, c.relacl, c.reloptions)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${foreign("n.nspname")}
  union all select format('column %s.%s.%s', n.nspname, c.relname, a.attname),
      concat_ws(' ', a.attnum, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attacl, pg_get_expr(d.adbin, d.adrelid))
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum where a.attnum > 0 and ${foreign("n.nspname")}
  union all select format('index %s.%s', n.nspname, c.relname), pg_get_indexdef(i.indexrelid)
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace where ${foreign("n.nspname")}
  union all select format('constraint %s.%s', n.nspname, k.conname), pg_get_constraintdef(k.oid)
    from pg_constraint k join pg_namespace n on n.oid = k.connamespace where ${foreign("n.nspname")}
  union all select format('trigger %s', t.tgname), pg_get_triggerdef(t.oid)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where not t.tgisinternal and ${foreign("n.nspname")}
  union all select format('function %s.%s(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)), md5(concat(p.prosrc, p.probin, p.proacl))
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${foreign("n.nspname")}
  union all select format('type %s.%s', n.nspname, t.typname), t.typtype::text
    from pg_type t join pg_namespace n on n.oid = t.typnamespace where ${foreign("n.nspname")}
  union all select 'extension ' || extname, extversion from pg_extension
  union all select 'event trigger ' || evtname, evtevent from pg_event_trigger
  union all select 'default rights ' || oid, defaclacl::text from pg_default_acl
  union all select 'role ' || rolname, concat_ws(' ', rolsuper, rolcreatedb, rolcreaterole, rolcanlogin, rolconfig) from pg_roles
  union all select 'database ' || datname, concat_ws(' ', datdba::regrole, datacl) from pg_database`;

const TABLES = `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'm', 'p') and ${foreign("n.nspname")}`;

/** Everything in a database outside the schema `backstop`: definitions, rights, and a digest over each table's rows. */
export function snapshotDatabase(adminUrl: string): Promise<Snapshot> {
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string; is: string }>(CATALOG);
    const facts = Object.fromEntries(rows.map(({ name, is }) => [name, is]));
    const tables = await client.query<{ name: string }>(TABLES);
    for (const { name } of tables.rows) facts[`rows ${name}`] = await digestRows(client, name);
    return facts;
  });
}

/** Every row as text, in an order that depends on nothing but the rows. */
async function digestRows(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ is: string }>(
    `select count(*) || ' rows ' || md5(coalesce(string_agg(t::text, E'\\n' order by t::text collate "C"), '')) as is from ${table} t`,
  );
  return rows[0]?.is ?? "";
}

/** Every key of every logical database: type, expiry and a digest over its value. Empty: Redis holds nothing. */
export async function snapshotRedis(adminUrl: string): Promise<Snapshot> {
  const redis = new Redis(adminUrl);
  const facts: Snapshot = {};
  try {
    for (const db of await filledDatabases(redis)) {
      await redis.select(db);
      for await (const keys of redis.scanStream()) {
        for (const key of keys as string[]) {
          const value = createHash("sha256").update((await redis.dumpBuffer(key)) ?? "");
          facts[`${db} ${key}`] = `${await redis.type(key)} ${await redis.pexpiretime(key)} ${value.digest("hex")}`;
        }
      }
    }
    return facts;
  } finally {
    redis.disconnect();
  }
}

async function filledDatabases(redis: Redis): Promise<number[]> {
  return [...(await redis.info("keyspace")).matchAll(/^db(\d+):/gm)].map((match) => Number(match[1]));
}

/** The commands that Redis was sent since `forget`, by name: a write shows here even if it left no key. */
export function redisCommands(adminUrl: string) {
  const once = async <T>(work: (redis: Redis) => Promise<T>): Promise<T> => {
    const redis = new Redis(adminUrl);
    try {
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  };
  return {
    forget: () => once((redis) => redis.config("RESETSTAT")),
    seen: () =>
      once(async (redis) => {
        const stats = await redis.info("commandstats");
        return [...stats.matchAll(/^cmdstat_([^:]+):/gm)].map((match) => match[1] ?? "").sort();
      }),
  };
}
