"use client";

import { type FormEvent, useState } from "react";
import { type Problem, problemOf, unanswered } from "@/app/(desk)/action-problem";
import { writeNote } from "@/app/(desk)/dead-letters/groups/[id]/actions";
import { useSend } from "@/app/(desk)/use-send";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/field";
import { NOTE_MAX, noteIsEmpty } from "@/lib/domain/note";

type Props = {
  groupId: string;
  /** Why this person may not write one; null: they may. */
  forbidden: string | null;
};

/** Writes a note on the group. It cannot be changed afterwards: another can be added. */
export function NoteForm({ groupId, forbidden }: Props) {
  const { sending, problem, send } = useSend();
  const [body, setBody] = useState("");
  const stop = forbidden ?? (sending ? "Sending" : noteIsEmpty(body) ? "The note is empty" : null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (stop !== null) return;
    if (await send(writeNote({ groupId, body }).catch(lost), problemIn)) setBody("");
  };
  return (
    <form className="noteform" onSubmit={submit}>
      <TextArea
        label="New note"
        help={forbidden ?? "Kept with the error, for everybody who looks at it next. Never a session token."}
        readOnly={forbidden !== null}
        value={body}
        maxLength={NOTE_MAX}
        problem={problem && (problem.detail ?? problem.title)}
        onChange={(event) => setBody(event.target.value)}
      />
      <Button type="submit" disabledReason={stop}>
        {sending ? "Sending" : "Add note"}
      </Button>
    </form>
  );
}

function problemIn(result: Awaited<ReturnType<typeof writeNote>>): Problem | null {
  if (result.kind !== "ok") return problemOf(result);
  return result.value.kind === "added" ? null : { title: "This error is not in the archive any more." };
}

const lost = () => unanswered("no_answer", "The desk does not answer. The note may not have been kept.");
