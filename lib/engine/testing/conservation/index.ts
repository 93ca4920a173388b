import type pg from "pg";
import type { Queryable } from "@/lib/db/pg";
import type { Book } from "./book";
import { checkAnswers } from "./check-answers";
import { checkEffects } from "./check-effects";
import { checkLives, type Lives } from "./check-lives";
import { takeSnapshot } from "./snapshot";

export { type Book, md5, newBook, type Told, type Work } from "./book";
export type { Violation } from "./check-lives";

/** Conservation of everything that was ever queued in this store, and where it is, at one instant: workers may run. */
export async function checkConservation(pool: pg.Pool, book: Book): Promise<Lives> {
  const client = await pool.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    const lives = await checkWithin(client, book);
    await client.query("commit");
    return lives;
  } finally {
    client.release(true);
  }
}

/** The same, as the caller's transaction sees the store. */
export async function checkWithin(db: Queryable, book: Book): Promise<Lives> {
  const store = await takeSnapshot(db);
  const lives = checkLives(book, store);
  return { ...lives, violations: [...lives.violations, ...checkEffects(book, store), ...checkAnswers(book, store)] };
}
