import pg from "pg";
import { z } from "zod";
import { closeLine, openLine } from "./after-commit";

/** A pool or one connection of it. */
export type Queryable = Pick<pg.ClientBase, "query">;

/** A statement with a name of its own (prepared once a connection). Its text is a constant. */
export type Sql = { name: string; text: string };

export type PoolOptions = {
  url: string;
  /** What `pg_stat_activity` calls this pool. */
  application: string;
  max: number;
  statementTimeoutMs: number;
  lockTimeoutMs?: number;
};

/** A small pool with bounds on every wait. An idle connection's error is logged, never thrown at the process. */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.application,
    max: options.max,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: options.lockTimeoutMs ?? options.statementTimeoutMs,
    idle_in_transaction_session_timeout: 15_000,
    // The server's own timeout answers first; this one is for a server that has stopped answering at all.
    query_timeout: options.statementTimeoutMs + 2_000,
  });
  pool.on("error", (error) =>
    console.error(JSON.stringify({ event: "pg_idle_error", pool: options.application, error: error.message })),
  );
  return pool;
}

/** The schema of many rows, by the schema of one: made anew for each statement it would cost more than the row does. */
const arrays = new WeakMap<z.ZodType, z.ZodType<unknown[]>>();

function arrayOf<S extends z.ZodType>(row: S): z.ZodType<z.output<S>[]> {
  const known = arrays.get(row) ?? z.array(row);
  arrays.set(row, known);
  return known as z.ZodType<z.output<S>[]>;
}

/**
 * The one way in for rows: a named statement, listed columns, and a schema that each row must pass.
 * Throws with the statement's name when a row does not match.
 */
export async function many<S extends z.ZodType>(
  db: Queryable,
  sql: Sql,
  row: S,
  values: unknown[] = [],
): Promise<z.output<S>[]> {
  const result = await db.query({ name: sql.name, text: sql.text, values });
  const parsed = arrayOf(row).safeParse(result.rows);
  if (!parsed.success) {
    const message = `${sql.name}: a row does not match its schema\n${z.prettifyError(parsed.error)}`;
    throw Object.assign(new Error(message), { code: "row_mismatch" });
  }
  return parsed.data;
}

/** As `many`, for at most one row; null when there is none. */
export async function maybe<S extends z.ZodType>(
  db: Queryable,
  sql: Sql,
  row: S,
  values: unknown[] = [],
): Promise<z.output<S> | null> {
  const rows = await many(db, sql, row, values);
  if (rows.length > 1) throw new Error(`${sql.name}: ${rows.length} rows where at most one was expected`);
  return rows[0] ?? null;
}

/** As `many`, for exactly one row. */
export async function one<S extends z.ZodType>(
  db: Queryable,
  sql: Sql,
  row: S,
  values: unknown[] = [],
): Promise<z.output<S>> {
  const found = await maybe(db, sql, row, values);
  if (found === null) throw new Error(`${sql.name}: no row`);
  return found;
}

/** Runs a statement that answers no rows; gives the number of rows it touched. */
export async function execute(db: Queryable, sql: Sql, values: unknown[] = []): Promise<number> {
  const result = await db.query({ name: sql.name, text: sql.text, values });
  return result.rowCount ?? 0;
}

/**
 * One transaction on one connection. A connection that broke, or whose rollback failed, is thrown away, not returned.
 * When the server ended it between two statements (shutdown, a timeout), that is the error, not what came of it.
 * @param begin what begins it: `begin`, and after a semicolon what else is to go to the server with it
 */
export async function transaction<T>(
  pool: pg.Pool,
  body: (client: pg.PoolClient) => Promise<T>,
  begin = "begin",
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // While a connection is taken out the pool does not listen: without this the event would end the process.
  const onError = (error: Error) => {
    broken ??= error;
  };
  client.on("error", onError);
  let committed = false;
  openLine(client);
  try {
    await client.query(begin);
    const value = await body(client);
    const { command } = await client.query("commit");
    // A commit of a transaction in which a statement failed says ROLLBACK, and is no error to the server.
    if (command !== "COMMIT") throw new Error("The transaction had failed; it was rolled back.");
    committed = true;
    return value;
  } catch (error) {
    const cause = broken ?? error;
    await client.query("rollback").catch(onError);
    throw cause;
  } finally {
    closeLine(client, committed);
    client.release(broken);
    client.removeListener("error", onError);
  }
}

/** The SQLSTATE of a Postgres error, or null for anything else (a cut connection, a bug). */
export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/**
 * SQL for a timestamptz as milliseconds since 1970 (float8), null for null: `infinity` and absurd years are clamped to
 * the ends of what a JavaScript Date can hold, since pg turns them into Infinity and Invalid Date. (`greatest` and
 * `least` pass nulls over, so null needs a branch of its own.)
 */
export function ms(column: string): string {
  const bounded = `greatest(-8640000000000000, least(8640000000000000, extract(epoch from ${column}) * 1000))`;
  return `(case when ${column} is not null then ${bounded} end)::float8`;
}
