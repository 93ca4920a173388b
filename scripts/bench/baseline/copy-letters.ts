import type pg from "pg";
import { timed } from "@/scripts/bench/rounds";

/** How long the server takes to put the same rows into a table of their columns: no index, then with all of the archive's. */
export async function copyLetters(db: pg.Pool, file: string): Promise<{ bareMs: number; indexedMs: number }> {
  await db.query(`copy (select * from backstop.dead_letters) to '${file}'`);
  await db.query(`drop table if exists bare_letters, indexed_letters;
    create table bare_letters (like backstop.dead_letters);
    create table indexed_letters (like backstop.dead_letters including all)`);
  const bareMs = await timed(() => db.query(`copy bare_letters from '${file}'`));
  const indexedMs = await timed(() => db.query(`copy indexed_letters from '${file}'`));
  return { bareMs, indexedMs };
}
