import pg from "pg";
import { until } from "@/scripts/testing/until";
import type { Cause, Values } from "./cause";
import { SCHEMA } from "./postgres-schema";

export type Urls = { postgres: string; engine: string };

/** What takes two sessions, or a session's whole life. */
export function postgresSessionCauses(urls: Urls): Cause[] {
  const connect = async (url = urls.postgres) => {
    const client = new pg.Client({ connectionString: url, options: `-c search_path=${SCHEMA}` });
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  type Work = (one: pg.Client, other: pg.Client, values: Values) => Promise<unknown>;
  const two = (name: string, work: Work): Cause => ({
    name,
    async fail(values) {
      const [one, other] = [await connect(), await connect()];
      try {
        await work(one, other, values);
      } finally {
        await Promise.allSettled([one.end(), other.end()]);
      }
    },
  });
  const refused = (name: string, url: (values: Values) => string): Cause => ({
    name,
    fail: async (values) => (await connect(url(values))).end(),
  });
  const lock = ({ id }: Values) => `select 1 from characters where character_id = '${id}' for update`;
  const lockOther = ({ n }: Values) => `select pg_advisory_xact_lock(${n}, 7)`;
  const gold = ({ id, number }: Values) => `update characters set gold = gold + ${number} where character_id = '${id}'`;

  return [
    two("two sessions wait for each other's rows", async (one, other, values) => {
      const second = `select 1 from reward_ledger where ledger_id = '${values.otherId}' for update`;
      await deadlock(one, other, lock(values), second);
    }),
    two("two sessions wait for each other's advisory locks", async (one, other, { n, number }) => {
      await deadlock(one, other, `select pg_advisory_xact_lock(${number})`, `select pg_advisory_xact_lock(${n})`);
    }),
    two("row is locked too long", async (one, other, values) => {
      await one.query(`begin; ${lock(values)}`);
      await other.query(`begin; set local lock_timeout = ${5 + values.n}; ${lock(values)}`);
    }),
    two("row is locked, and nobody waits", async (one, other, values) => {
      await one.query(`begin; ${lock(values)}`);
      await other.query(`${lock(values)} nowait`);
    }),
    two("table is locked, and nobody waits", async (one, other) => {
      await one.query("begin; lock table gm_notes");
      await other.query("begin; lock table gm_notes nowait");
    }),
    two("row was changed since the snapshot", async (one, other, values) => {
      await other.query("begin isolation level repeatable read; select 1 from characters");
      await one.query(gold(values));
      await other.query(gold(values));
    }),
    two("reads and writes of two sessions cross", async (one, other, { number }) => {
      const both = "begin isolation level serializable; select count(*) from secret_vault";
      await one.query(both);
      await other.query(both);
      await one.query(`insert into secret_vault values (${number})`);
      await other.query(`insert into secret_vault values (${number})`);
      await one.query("commit");
      await other.query("commit");
    }),
    two("statement after a failed one", async (one, _other, { number }) => {
      await one.query("begin");
      await one.query(`select ${number} / 0`).catch(() => {});
      await one.query(`select ${number}`);
    }),
    two("transaction takes too long", async (one, _other, { n }) => {
      await one.query(`set transaction_timeout = ${20 + n}`);
      await one.query("begin; select pg_sleep(5)");
    }),
    two("statement is cancelled by somebody", async (one, other) => {
      await ended(one, other, "pg_cancel_backend");
    }),
    two("session is ended by somebody", async (one, other) => {
      await ended(one, other, "pg_terminate_backend");
    }),
    two("transaction begun read-only locks a row", async (one, _other, values) => {
      await one.query(`begin read only; ${lock(values)}`);
    }),
    two("advisory lock is waited for too long", async (one, other, values) => {
      await one.query(`begin; ${lockOther(values)}`);
      await other.query(`begin; set local statement_timeout = ${5 + values.n}; ${lockOther(values)}`);
    }),
    refused("database is missing", () => withPart(urls.postgres, "pathname", "/game_of_old")),
    refused("password is wrong", ({ word }) => withPart(urls.engine, "password", word)),
    {
      name: "Postgres listens on no such port",
      fail: async ({ n }) => (await connect(withPart(urls.postgres, "port", String(n + 2)))).end(),
    },
    {
      name: "connection is ended on this side",
      async fail({ number }) {
        const client = await connect();
        await client.end();
        await client.query(`select ${number}`);
      },
    },
    {
      name: "pool is exhausted",
      async fail({ n }) {
        const pool = new pg.Pool({ connectionString: urls.postgres, max: 1, connectionTimeoutMillis: 80 + n });
        const held = await connectOf(pool);
        try {
          (await pool.connect()).release();
        } finally {
          held.release();
          await pool.end();
        }
      },
    },
  ];
}

/** The pool's time to connect is as short as its time to wait: a slow first try is no failure. */
async function connectOf(pool: pg.Pool): Promise<pg.PoolClient> {
  for (;;) {
    const client = await pool.connect().catch(() => null);
    if (client) return client;
  }
}

async function deadlock(one: pg.Client, other: pg.Client, first: string, second: string): Promise<void> {
  await Promise.all([one, other].map((client) => client.query("begin; set local deadlock_timeout = '10ms'")));
  await one.query(first);
  await other.query(second);
  // Each waits for both: the one that is not the victim gets its lock.
  const endings = await Promise.allSettled([one.query(second), other.query(first)]);
  for (const ending of endings) if (ending.status === "rejected") throw ending.reason;
}

async function ended(one: pg.Client, other: pg.Client, end: string): Promise<void> {
  const { rows } = await one.query("select pg_backend_pid() as pid");
  const sleeping = one.query("select pg_sleep(20)");
  sleeping.catch(() => {});
  const ending = `select ${end}(pid) from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'`;
  await until(async () => (await other.query(ending, [rows[0].pid])).rowCount === 1);
  await sleeping;
}

function withPart(url: string, part: "pathname" | "password" | "port", value: string): string {
  const changed = new URL(url);
  changed[part] = value;
  return changed.href;
}
