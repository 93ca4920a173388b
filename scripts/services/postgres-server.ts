import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { pickPort } from "./ports";
import type { PostgresBinaries } from "./postgres-binaries";
import { withClient } from "./prepare-database";
import { isStill, processesWith, waitGone } from "./processes";
import { adoptServer, endServer, type ServerProcess, spawnServer } from "./server-process";
import type { Layout } from "./state-dir";

export type PostgresServer = ServerProcess & { port: number };
export type PostgresSetup = {
  layout: Layout;
  binaries: PostgresBinaries;
  dataDir: string;
  password: string;
  fast: boolean;
};

/** SIGINT is Postgres's fast stop (clients are cut, everything is written), SIGQUIT its immediate one. */
const STOP: [NodeJS.Signals, number][] = [
  ["SIGINT", 15_000],
  ["SIGQUIT", 5_000],
];

/** Uses the server that already runs on this data folder, or starts one; answers when it takes connections. */
export async function openPostgres(setup: PostgresSetup, port?: number): Promise<PostgresServer> {
  const running = await adoptPostgres(setup);
  if (running && (port === undefined || running.port === port)) return running;
  if (running) await stopPostgres(setup.dataDir, running.pid);
  let last = "";
  for (let tries = 0; tries < 5; tries++) {
    const server = await startPostgres(setup, port ?? (await pickPort()));
    if (typeof server !== "string") return server;
    last = server;
    await sleep(500 * tries);
  }
  throw new Error(`Postgres does not start: ${last}. See ${logFile(setup)}`);
}

/** Stops the server of this data folder; nothing happens where the pid is not (or no longer) that. */
export function stopPostgres(dataDir: string, pid: number): Promise<void> {
  return endServer(pid, dataDir, STOP);
}

/**
 * The server on this data folder, if there is one and it is proved ours: the process has the folder as its argument and
 * our account, the port takes our password (SCRAM proves the server, too) and says the same folder and process.
 */
async function adoptPostgres(setup: PostgresSetup): Promise<PostgresServer | undefined> {
  const [pid] = processesWith(setup.dataDir, setup.layout.account.uid);
  if (pid === undefined) {
    // A left-over pid file whose number is somebody else's by now would keep Postgres from starting.
    rmSync(join(setup.dataDir, "postmaster.pid"), { force: true });
    return undefined;
  }
  for (let waited = 0; waited < 30_000 && isStill(pid, setup.dataDir); waited += 100) {
    const lines = pidFile(setup.dataDir);
    if (Number(lines[0]) === pid && lines[7]?.trim() === "ready") {
      const port = Number(lines[3]);
      if (await isOurs(setup, port, pid)) return { ...adoptServer(pid, setup.dataDir), port };
      break;
    }
    await sleep(100);
  }
  // Ours by its arguments, yet without an answer: it would hold the folder for ever.
  await stopPostgres(setup.dataDir, pid);
  return undefined;
}

/** The server, or why it did not come up. */
async function startPostgres(setup: PostgresSetup, port: number): Promise<PostgresServer | string> {
  const settings: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    timezone: "UTC",
    log_timezone: "UTC",
    // Values of rows (payloads) do not belong in a log: no statements, no DETAIL.
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    log_line_prefix: "%m [%p] %q%u@%d ",
    ...(setup.fast ? { fsync: "off", synchronous_commit: "off", full_page_writes: "off" } : {}),
  };
  const args = ["-D", setup.dataDir, "-p", String(port)];
  for (const [name, value] of Object.entries(settings)) args.push("-c", `${name}=${value}`);
  const server = await spawnServer(setup.binaries.postgres, args, {
    account: setup.layout.account,
    env: setup.binaries.env,
    logFile: logFile(setup),
  });
  for (let waited = 0; waited < 60_000 && !server.hasEnded(); waited += 25) {
    const lines = pidFile(setup.dataDir);
    if (Number(lines[0]) === server.pid && lines[7]?.trim() === "ready") {
      if (await isOurs(setup, port, server.pid)) return { ...server, port };
    }
    await sleep(25);
  }
  if (!server.hasEnded()) await stopPostgres(setup.dataDir, server.pid);
  await waitGone(server.pid, 1_000);
  return (
    readFileSync(logFile(setup), "utf8")
      .match(/FATAL: .*/g)
      ?.at(-1) ?? "no answer"
  );
}

async function isOurs(setup: PostgresSetup, port: number, pid: number): Promise<boolean> {
  const url = `postgresql://postgres:${setup.password}@127.0.0.1:${port}/postgres`;
  const sql = "select current_setting('data_directory') as folder, pg_read_file('postmaster.pid') as pid_file";
  try {
    const { rows } = await withClient(url, (client: pg.Client) =>
      client.query<{ folder: string; pid_file: string }>(sql),
    );
    return rows[0]?.folder === setup.dataDir && Number(rows[0].pid_file.split("\n")[0]) === pid;
  } catch {
    return false;
  }
}

/** Lines of postmaster.pid: pid, folder, start, port, socket folder, address, shared memory, state. */
function pidFile(dataDir: string): string[] {
  try {
    return readFileSync(join(dataDir, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
}

function logFile(setup: PostgresSetup): string {
  return join(setup.layout.logs, "postgres.log");
}
