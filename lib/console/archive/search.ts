import { z } from "zod";
import { one, type Queryable, type Sql } from "@/lib/db/pg";
import { QueueName } from "@/lib/domain/queue";

/** Where in a letter a text was found to stand, by one of its indexes. */
export type Place = "letter" | "job" | "subject" | "name" | "words" | "part";

/**
 * What is searched for, and where it stands. Of words each stands in the error, whole: a part of a word is not found.
 * Of a text without any word, `part` is looked for letter by letter.
 */
export type Search = { text: string; places: Place[] };

/** $1 id · $2 queues. */
const ID: Sql = {
  name: "archive_search_id",
  text: `select exists (select from backstop.dead_letters where queue = any($2::text[]) and letter_id = $1) as letter,
      exists (select from backstop.dead_letters where job_id = $1) as job,
      exists (select from backstop.dead_letters where subject_id = $1) as subject`,
};
const IdRow = z.object({ letter: z.boolean(), job: z.boolean(), subject: z.boolean() });

/** $1 text */
const TEXT: Sql = {
  name: "archive_search_text",
  text: `select numnode(plainto_tsquery('simple', $1)) > 0 as words,
      exists (select from backstop.dead_letters where lower(subject_name) = lower($1)) as name`,
};
const TextRow = z.object({ words: z.boolean(), name: z.boolean() });

/** $1 text. Behind a fence: without it the planner may walk through all letters for words that never stand together. */
const SAID: Sql = {
  name: "",
  text: `select exists (select from (select 1 from backstop.dead_letters
      where to_tsvector('simple', left(error, 1024)) @@ plainto_tsquery('simple', $1) offset 0) as said) as said`,
};

/** Where a text that somebody looks for stands; null: nothing is looked for. */
export async function searchOf(db: Queryable, text: string | undefined): Promise<Search | null> {
  const sought = text?.trim();
  if (!sought) return null;
  if (z.guid().safeParse(sought).success) {
    const id = sought.toLowerCase();
    const { letter, job, subject } = await one(db, ID, IdRow, [id, QueueName.options]);
    const places: Place[] = [...(job ? ["job" as const] : []), ...(subject ? ["subject" as const] : [])];
    return { text: id, places: letter || places.length === 0 ? ["letter", ...places] : places };
  }
  const { words, name } = await one(db, TEXT, TextRow, [sought]);
  if (!name) return { text: sought, places: [words ? "words" : "part"] };
  // A name is seldom said in an error: then its letters are found by the name alone.
  const { said } = words ? await one(db, SAID, z.object({ said: z.boolean() }), [sought]) : { said: false };
  return { text: sought, places: said ? ["name", "words"] : ["name"] };
}
