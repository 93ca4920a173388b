import pg from "pg";

/** The roles of the embedded Postgres, beside its superuser `postgres`. */
export const ROLES = ["backstop_migrate", "backstop_own", "backstop_read", "engine"] as const;
export type Role = (typeof ROLES)[number];

/**
 * Makes the four roles and sets their passwords. Idempotent; `client` is the superuser's. `backstop_read` cannot begin
 * a writing transaction, beside having no right to write.
 */
export async function prepareRoles(client: pg.Client, passwords: Record<Role, string>): Promise<void> {
  const statements = ROLES.flatMap((role) => [
    `do $$ begin create role ${role}; exception when duplicate_object then null; end $$;`,
    `alter role ${role} login nosuperuser nocreatedb nocreaterole noreplication password ${client.escapeLiteral(passwords[role])};`,
  ]);
  statements.push("alter role backstop_read set default_transaction_read_only = on;");
  await client.query(statements.join("\n"));
}

/**
 * Creates the database if there is none, with the schemas and rights that the desk and the engine rely on: `public` is
 * the game's (the engine creates there and nobody else, the desk reads), `backstop` is the console's. Idempotent; used
 * for the default database and for test databases (templates included) alike.
 * @param adminUrl any database of the server, as its superuser
 */
export async function prepareDatabase(adminUrl: string, database: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [database]);
    const name = client.escapeIdentifier(database);
    if (rowCount === 0) await client.query(`create database ${name}`);
    await client.query(`revoke all on database ${name} from public;
      grant connect on database ${name} to ${ROLES.join(", ")};`);
  });
  const url = new URL(adminUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  await withClient(url.href, (client) =>
    client.query(`
      revoke all on schema public from public;
      grant usage, create on schema public to engine;
      grant usage on schema public to backstop_read;
      alter default privileges for role engine in schema public grant select on tables to backstop_read;
      create schema if not exists backstop authorization backstop_migrate;
      grant usage on schema backstop to backstop_own;
    `),
  );
}

/** Runs `work` on one connection and closes it. */
export async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  // A server that goes away between two queries is told to the next query; without a listener it ends the process.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
