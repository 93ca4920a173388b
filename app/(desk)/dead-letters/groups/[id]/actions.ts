"use server";

import { z } from "zod";
import { operatorAction } from "@/lib/auth/action";
import { addNote } from "@/lib/console/archive/notes";
import { pools } from "@/lib/db/pools";
import { NOTE_MAX } from "@/lib/domain/note";

const NoteInput = z.object({
  groupId: z.string().regex(/^[1-9]\d{0,17}$/),
  body: z.string().trim().min(1).max(NOTE_MAX, `A note has at most ${NOTE_MAX} characters.`),
});

/** Writes a note on a group, with its line of the audit. */
export const writeNote = operatorAction("note", NoteInput, ({ input, who, address, requestId }) =>
  addNote(pools().own, {
    ...input,
    actor: { id: who.userId, name: who.displayName, role: who.role },
    address,
    requestId,
    queues: who.queues,
  }),
);
