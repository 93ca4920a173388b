import { LiveTime } from "@/components/ui/live-time";
import { Typed } from "@/components/ui/typed";
import type { GroupNote } from "@/lib/console/archive/notes";

/** What people wrote on a group, the newest first. */
export function NotesList({ notes, nowMs }: { notes: readonly GroupNote[]; nowMs: number }) {
  if (notes.length === 0) return <p className="muted">Nobody has written a note yet.</p>;
  return (
    <ol className="notes">
      {notes.map(({ noteId, body, author, atMs }) => (
        <li key={noteId}>
          <p className="faint">
            <b>{author}</b>, <LiveTime atMs={atMs} nowMs={nowMs} />
          </p>
          <p className="notebody">
            <Typed>{body}</Typed>
          </p>
        </li>
      ))}
    </ol>
  );
}
