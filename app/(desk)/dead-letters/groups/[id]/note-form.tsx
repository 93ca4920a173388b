"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { writeNote } from "@/app/(desk)/dead-letters/groups/[id]/actions";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/field";
import { NOTE_MAX } from "@/lib/domain/note";

type Props = {
  groupId: string;
  /** Why this person may not write one; null: they may. */
  forbidden: string | null;
};

/** Writes a note on the group. It cannot be changed afterwards: another can be added. */
export function NoteForm({ groupId, forbidden }: Props) {
  const router = useRouter();
  const [body, setBody] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const stop = forbidden ?? (sending ? "Sending" : body.trim() === "" ? "The note is empty" : null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (stop !== null) return;
    setSending(true);
    const result = await writeNote({ groupId, body }).catch(() => null);
    setSending(false);
    if (result?.kind === "ok" && result.value.kind === "added") {
      setBody("");
      setProblem(null);
      return router.refresh();
    }
    setProblem(problemOf(result));
  };
  return (
    <form className="noteform" onSubmit={submit}>
      <TextArea
        label="New note"
        help={forbidden ?? "Kept with the error, for everybody who looks at it next. Never a session token."}
        readOnly={forbidden !== null}
        value={body}
        maxLength={NOTE_MAX}
        problem={problem}
        onChange={(event) => setBody(event.target.value)}
      />
      <Button type="submit" disabledReason={stop}>
        {sending ? "Sending" : "Add note"}
      </Button>
    </form>
  );
}

function problemOf(result: Awaited<ReturnType<typeof writeNote>> | null): string {
  if (result === null) return "The desk does not answer. The note may not have been kept.";
  switch (result.kind) {
    case "ok":
      return "This error is not in the archive any more.";
    case "invalid":
      return result.issues.map(({ message }) => message).join(" ");
    case "signed_out":
    case "forbidden":
    case "refused":
    case "failed":
      return result.sentence;
    default:
      return result satisfies never;
  }
}
