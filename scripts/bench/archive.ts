import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { startKeeper } from "@/scripts/testing/keeper";
import { copyLetters } from "./baseline/copy-letters";
import { atMost, type Figure } from "./figure";
import { median, ratios, rounded, timed } from "./rounds";
import { openBenchStores } from "./stores";

const LETTERS = 50_000;
const ROUNDS = 5;

/** $1 letters. As a fault makes them: one cause, another id in each error; a payload of some 400 bytes. */
const FILL = `
  insert into persistence_job_dead_letters (dead_letter_id, retry_job_id, job_kind, character_id, realm_id, zone_id, payload,
    failed_attempts, error, dead_lettered_at, source, session_impact)
  select gen_random_uuid(), gen_random_uuid(), 'combat_rewards', person, 'aurelia', 'zone-' || n % 40,
    '{"payload":{"kind":"combat_rewards","character_id":"' || person || '","realm_id":"aurelia","zone_id":"zone-' || n % 40 ||
      '","gold":"240","items":[{"item_id":"shard-' || n || '","quantity":2}]},"session_token":"' || md5(n::text) ||
      '","session_impact":"None","source":"zone-server-14","idempotency":{"key":"bench:' || gen_random_uuid() ||
      '","character_version":' || n || ',"issued_at":"2026-11-14T03:05:12.087Z"}}',
    8, 'ERROR 23503: insert or update on table "reward_ledger" violates foreign key constraint "reward_ledger_zone_id_fkey"' ||
      E'\\nDETAIL: Key (zone_id)=(zone-' || n || ') is not present in table "zone_catalog".',
    clock_timestamp(), 'zone-server-14', 'None'
  from generate_series(1, $1::int) as n cross join lateral (select gen_random_uuid() as person from (select n) as of) as p`;

/** Kilobytes of a process's memory: now, and at most so far. */
function memoryOf(pid: number): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
  return { now: read("VmRSS"), most: read("VmHWM") };
}

/** Counted only when the keeper says that it lacks nothing: to count is itself work for the server that is measured. */
async function untilKept(own: pg.Pool, letters: number): Promise<void> {
  let seen: string | undefined;
  for (;;) {
    const { rows } = await own.query("select caught_up_at::text as at from backstop.archive_cursors");
    if (rows[0]?.at !== seen) {
      seen = rows[0]?.at;
      const kept = await own.query("select count(*)::int as n from backstop.dead_letters");
      if (kept.rows[0].n >= letters) return;
    }
    await sleep(50);
  }
}

/** New letters, kept by the keeper as it runs in the product, until the last is there. */
export async function archive(): Promise<Figure[]> {
  const stores = await openBenchStores();
  const gameUrl = await stores.database("bench_archive");
  const { own: ownUrl } = await stores.own("bench_archive_own");
  const [game, own, admin] = [
    stores.pool(gameUrl),
    stores.pool(ownUrl),
    stores.pool(stores.admin("bench_archive_own")),
  ];
  const file = join(tmpdir(), `backstop-copy-${randomBytes(6).toString("hex")}`);
  const keeper = startKeeper({
    postgresUrl: (role) => (role === "backstop_read" ? gameUrl : ownUrl),
    backstopSecret: randomBytes(32).toString("base64"),
  });
  const pid = keeper.child.pid;
  if (pid === undefined) throw new Error("the keeper did not start");
  try {
    // Ready, and with its statements prepared.
    await game.query(FILL, [200]);
    await untilKept(own, 200);
    await sleep(3_000);
    const before = memoryOf(pid).now;
    const times: number[] = [];
    const bare: Awaited<ReturnType<typeof copyLetters>>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await game.query("truncate persistence_job_dead_letters");
      await admin.query("truncate backstop.dead_letters");
      await game.query(FILL, [LETTERS]);
      times.push(await timed(() => untilKept(own, LETTERS)));
      bare.push(await copyLetters(admin, file));
    }
    const grown = Math.max(0, memoryOf(pid).most - before) / 1024;
    const indexed = bare.map(({ indexedMs }) => indexedMs);
    const said = (ms: number[]) => `${rounded(median(ms) / 1_000)} s (least ${rounded(Math.min(...ms) / 1_000)})`;
    const note = `${ROUNDS} rounds: ${said(times)}; bare COPY ${said(bare.map(({ bareMs }) => bareMs))}, with the archive's indexes ${said(indexed)}`;
    return [
      atMost(`${LETTERS} new letters archived`, rounded(median(times) / 1_000), "s", 10, note),
      {
        name: "the same beside a COPY with the archive's indexes",
        value: rounded(median(ratios(times, indexed))),
        unit: "x",
        goal: "reported",
        met: null,
      },
      atMost(`the keeper's memory grows while it archives ${ROUNDS * LETTERS}`, rounded(grown, 0), "MB", 150),
    ];
  } finally {
    await keeper.end();
    await stores.end();
    rmSync(file, { force: true });
  }
}
