import type pg from "pg";
import type { Book } from "@/lib/engine/testing/conservation";
import type { OwnPostgres } from "./own-postgres";
import type { Random } from "./random";
import type { Tally } from "./tally";
import type { World } from "./world";

/** What every round works with. */
export type Chaos = {
  postgres: OwnPostgres;
  /** Arguments of `node` that run an engine. */
  engineProgram: readonly string[];
  /** Straight to the server, as the engine's role. */
  pool: pg.Pool;
  book: Book;
  world: World;
  random: Random;
  tally: Tally;
  signal: AbortSignal;
  say(line: string): void;
};

/** Somebody has asked for the end: not an error. */
export class Stopped extends Error {}

export function goOn({ signal }: Pick<Chaos, "signal">): void {
  if (signal.aborted) throw new Stopped("stopped");
}
