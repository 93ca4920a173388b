import { spawnSync } from "node:child_process";
import { appendFileSync, chownSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Services } from "@/scripts/services";
import { postgresBinaries } from "@/scripts/services/postgres-binaries";
import { openPostgres, stopPostgres } from "@/scripts/services/postgres-server";
import { withClient } from "@/scripts/services/prepare-database";
import { existingData, layOut } from "@/scripts/services/state-dir";
import { until } from "./until";

export type Standby = {
  /** A URL of the standby for one of the primary's. */
  url(primaryUrl: string): string;
  /** Stops replaying: what happens on the primary from here on is not seen. */
  freeze(): Promise<void>;
  /** Replays again, and waits until everything of the primary up to now is seen. */
  catchUp(): Promise<void>;
  end(): Promise<void>;
};

/**
 * A real hot standby of a primary that `startServices` runs from `stateDir`: copied while it runs, as the manual's
 * low-level base backup has it (the npm package brings no pg_basebackup), then streaming from it.
 */
export async function startStandby(primary: Services, stateDir: string, binDir: string): Promise<Standby> {
  const layout = layOut(stateDir, binDir);
  const binaries = await postgresBinaries(layout.bin, layout.account);
  const adminUrl = primary.postgres.url("postgres", "postgres");
  const dataDir = join(layout.data, "standby");
  await copyRunning(adminUrl, join(existingData(stateDir), "postgres"), dataDir, layout.account);
  const password = decodeURIComponent(new URL(adminUrl).password);
  const server = await openPostgres({ layout, binaries, dataDir, password, fast: true });

  const url = (primaryUrl: string) => {
    const changed = new URL(primaryUrl);
    changed.port = String(server.port);
    return changed.href;
  };
  const ask = async (at: string, sql: string, values: unknown[] = []) =>
    (await withClient(at, (client) => client.query(sql, values))).rows[0];
  const replayed = async (lsn: string) =>
    (await ask(url(adminUrl), "select pg_last_wal_replay_lsn() >= $1::pg_lsn as so", [lsn])).so;
  return {
    url,
    async freeze() {
      await ask(url(adminUrl), "select pg_wal_replay_pause()");
      await until(
        async () => (await ask(url(adminUrl), "select pg_get_wal_replay_pause_state() as is")).is === "paused",
      );
    },
    async catchUp() {
      // What is inserted, not what is written: commits may be asynchronous here.
      const { lsn } = await ask(adminUrl, "select pg_current_wal_insert_lsn()::text as lsn");
      await ask(url(adminUrl), "select pg_wal_replay_resume()");
      await until(() => replayed(lsn));
    },
    async end() {
      await stopPostgres(dataDir, server.pid);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function copyRunning(adminUrl: string, from: string, to: string, owner: { uid: number; gid: number }) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    const copied = spawnSync("cp", ["-a", from, to]);
    if (copied.status !== 0) throw new Error(`the copy failed: ${copied.stderr}`);
    const { rows } = await client.query("select labelfile from pg_backup_stop()");
    rmSync(join(to, "postmaster.pid"), { force: true });
    const conninfo = `primary_conninfo = '${adminUrl}'\nhot_standby = on\n`;
    appendFileSync(join(to, "postgresql.auto.conf"), conninfo);
    for (const [name, text] of [
      ["backup_label", rows[0].labelfile],
      ["standby.signal", ""],
    ]) {
      writeFileSync(join(to, name), text, { mode: 0o600 });
      if (process.getuid?.() === 0) chownSync(join(to, name), owner.uid, owner.gid);
    }
  } finally {
    await client.end();
  }
}
