import { z } from "zod";
import { one, type Queryable, type Sql } from "@/lib/db/pg";

/**
 * How a search is made. `id`: of a letter, a job or a character. `words`: each of them stands in the error, or it is a
 * character's name; a part of a word is not found. `part`: a text without words, looked for letter by letter.
 */
export type Search = { kind: "id"; id: string } | { kind: "words"; text: string } | { kind: "part"; text: string };

/** $1 text */
const WORDS: Sql = { name: "archive_search_words", text: "select numnode(plainto_tsquery('simple', $1)) as words" };

/** What a text that somebody looks for is; null: nothing is looked for. */
export async function searchOf(db: Queryable, text: string | undefined): Promise<Search | null> {
  const sought = text?.trim();
  if (!sought) return null;
  if (z.guid().safeParse(sought).success) return { kind: "id", id: sought.toLowerCase() };
  const { words } = await one(db, WORDS, z.object({ words: z.number() }), [sought]);
  return { kind: words > 0 ? "words" : "part", text: sought };
}
