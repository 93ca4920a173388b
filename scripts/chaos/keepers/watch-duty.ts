import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Span } from "./spans";
import type { Troop } from "./troop";

const LOOK_MS = 100;
/** After a failure a duty pauses for two of its times: what a keeper does once its store is there again. */
const BACKED_OFF_MS = 11_000;

const LOOK = `select (extract(epoch from clock_timestamp()) * 1000)::float8 as at_ms,
  (select holder from backstop.duties where duty = $1 and expires_at > clock_timestamp()) as holder`;

/** What was seen of a duty between two instants of the store. */
export type Watched = Span & {
  /** When nobody who lived had it, or its store was away and keepers still paused for that. */
  excuses: Span[];
};

/** Watches who has a duty, on the store's clock, until stopped. */
export function watchDuty(admin: pg.Pool, duty: string, troop: Pick<Troop, "works">): { stop(): Promise<Watched> } {
  const excuses: Span[] = [];
  let [first, last]: [number | null, number] = [null, 0];
  let kept = false;
  let stopping = false;

  async function run(): Promise<void> {
    let away = false;
    for (; !stopping; await sleep(LOOK_MS)) {
      const seen = await admin.query(LOOK, [duty]).catch(() => null);
      if (seen === null) away = true;
      if (seen === null) continue;
      const { at_ms: atMs, holder } = seen.rows[0] as { at_ms: number; holder: string | null };
      const keeps = holder !== null && troop.works(holder);
      if (first !== null && (away || !kept || !keeps))
        excuses.push({ fromMs: last, toMs: away ? atMs + BACKED_OFF_MS : atMs });
      first ??= atMs;
      [last, kept, away] = [atMs, keeps, false];
    }
  }

  const running = run();
  return {
    async stop() {
      stopping = true;
      await running;
      return { fromMs: first ?? 0, toMs: last, excuses };
    },
  };
}
