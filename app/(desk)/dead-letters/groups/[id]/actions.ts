"use server";

import { z } from "zod";
import { operatorAction } from "@/lib/auth/action";
import { addNote } from "@/lib/console/archive/notes";
import { pools } from "@/lib/db/pools";
import { NoteBody } from "@/lib/domain/note-body";

const NoteInput = z.object({
  groupId: z.string().regex(/^[1-9]\d{0,17}$/),
  body: NoteBody,
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
