import type { Redis } from "ioredis";
import type { Pool } from "pg";
import { wideRoleRights } from "@/lib/db/role-rights";
import { wideUserRights } from "@/lib/db/user-rights";

export type Connected = { own: Pool; game: Pool | null; redis: Redis | null };

/** A connection whose rights go beyond what a desk needs, or (`asked` false) whose rights could not be asked. */
export type WideRights = { store: "game" | "own" | "redis"; sentence: string; asked: boolean };

const NEEDS = "docs/your-system.md has the rights that it needs";
const WORDS = {
  game: `The desk only reads the game's Postgres. ${NEEDS}.`,
  own: `The desk writes its own schema and nothing else. ${NEEDS}.`,
  redis: `The desk only reads the game's Redis. ${NEEDS}.`,
} as const;

/** Each connection that may do more than a desk needs. Changes nothing. Never throws. */
export async function readWideRights({ own, game, redis }: Connected): Promise<WideRights[]> {
  const asked = await Promise.all([
    game && judged("game", () => wideRoleRights(game)),
    judged("own", () => wideRoleRights(own)),
    redis && judged("redis", () => wideUserRights(redis)),
  ]);
  return asked.filter((each) => each !== null);
}

async function judged(store: WideRights["store"], ask: () => Promise<string | null>): Promise<WideRights | null> {
  try {
    const may = await ask();
    return may === null ? null : { store, sentence: `${may} ${WORDS[store]}`, asked: true };
  } catch {
    const of = { game: "The game's Postgres", own: "The desk's own Postgres", redis: "Redis" }[store];
    return { store, sentence: `${of} could not be asked just now what the desk may do in it.`, asked: false };
  }
}
