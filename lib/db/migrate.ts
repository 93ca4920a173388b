import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import pg from "pg";

export type MigrateOptions = {
  /** The role that owns the schema. */
  migrateUrl: string;
  /** The role that the console works with; it is given DML, on the audit only INSERT and SELECT. */
  ownUrl: string;
};

/** Names of the migrations that the code knows, in order, without their ending. */
export function knownMigrations(dir: string): string[] {
  return readdirSync(dir)
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.replace(/\.sql$/, ""))
    .sort();
}

export type MigrationSet = { dir: string; schema: string; table: string; url: string };

/**
 * Brings a schema up to what the code knows: forward only, one transaction a file, under an advisory lock, so that
 * any number of processes may start at once. Throws when the store already has a migration that this code does not
 * know: an older program must not work on a newer schema. Also when the role may not make the tables: one line.
 */
export async function runMigrations(set: MigrationSet): Promise<string[]> {
  const client = new pg.Client({
    connectionString: set.url,
    application_name: "backstop-migrate",
    lock_timeout: 10_000,
  });
  await client.connect();
  try {
    await refuseNewer(client, set);
    const ran = await runner({
      dbClient: client,
      dir: set.dir,
      direction: "up",
      schema: set.schema,
      migrationsSchema: set.schema,
      migrationsTable: set.table,
      advisoryLockMode: "wait",
      singleTransaction: true,
      checkOrder: false,
      createSchema: !(await schemaExists(client, set.schema)),
      log: () => {},
    }).catch((error: Error) => {
      // The runner's words may hold a stack; whoever starts the program reads one line.
      throw new Error(error.message.split("\n", 1)[0], { cause: error });
    });
    return ran.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

async function refuseNewer(client: pg.Client, set: MigrationSet): Promise<void> {
  const exists = await client.query("select to_regclass($1) is not null as there", [`${set.schema}.${set.table}`]);
  if (!exists.rows[0]?.there) return;
  const known = new Set(knownMigrations(set.dir));
  const { rows } = await client.query(
    `select name from ${pg.escapeIdentifier(set.schema)}.${pg.escapeIdentifier(set.table)}`,
  );
  const unknown = rows.map((row: { name: string }) => row.name).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new Error(
      `The schema "${set.schema}" is newer than this version of Backstop (it has ${unknown.sort().join(", ")}). Start the newer version, or restore the database that belongs to this one.`,
    );
  }
}

// `create schema if not exists` asks for the right to create even where the schema is there already.
async function schemaExists(client: pg.Client, schema: string): Promise<boolean> {
  const { rows } = await client.query("select to_regnamespace($1) is not null as there", [schema]);
  return rows[0]?.there === true;
}

/**
 * Migrates the console's own schema `backstop` and gives its working role what it needs and no more: DML, but on the
 * audit only INSERT and SELECT. Where both roles are the same, the audit is not append-only, and the desk says so.
 */
export async function migrate({ migrateUrl, ownUrl }: MigrateOptions): Promise<void> {
  await runMigrations({
    dir: fileURLToPath(new URL("./migrations/backstop", import.meta.url)),
    schema: "backstop",
    table: "migrations",
    url: migrateUrl,
  });
  const [owner, worker] = [migrateUrl, ownUrl].map((url) => decodeURIComponent(new URL(url).username));
  if (worker && owner !== worker) await grantTo(worker, migrateUrl);
}

async function grantTo(role: string, migrateUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: migrateUrl,
    application_name: "backstop-migrate",
    lock_timeout: 10_000,
  });
  await client.connect();
  const name = pg.escapeIdentifier(role);
  try {
    await client.query(`
      grant usage on schema backstop to ${name};
      grant select, insert, update, delete on all tables in schema backstop to ${name};
      revoke update, delete, truncate on backstop.audit, backstop.audit_heads, backstop.audit_checks from ${name};
      revoke insert, update, delete, truncate on backstop.migrations from ${name};
      grant execute on all functions in schema backstop to ${name};
    `);
  } finally {
    await client.end();
  }
}
