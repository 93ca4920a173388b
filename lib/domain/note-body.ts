import { z } from "zod";
import { NOTE_MAX, noteIsEmpty } from "./note";

/** What somebody writes on an error. */
export const NoteBody = z
  .string()
  .trim()
  .max(NOTE_MAX, `A note has at most ${NOTE_MAX} characters.`)
  .refine((body) => !noteIsEmpty(body), "The note is empty.");
