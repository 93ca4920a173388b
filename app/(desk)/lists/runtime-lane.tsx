import Link from "next/link";
import { shortId } from "@/components/queue/short-id";
import { Glyph } from "@/components/ui/glyph";
import type { GlyphName } from "@/components/ui/glyph-paths";
import { NumberLink } from "@/components/ui/number-link";
import { queryString } from "@/components/ui/query";
import type { ListedEntry, Runtime } from "@/lib/domain/list-state";
import { type Beat, beatOf, sayBeat } from "@/lib/domain/list-words";
import { duration } from "@/lib/domain/time";
import { markUnseen } from "@/lib/domain/unseen";

const MARKS: Record<Beat, { glyph: GlyphName; word: string }> = {
  alive: { glyph: "ok", word: "Alive" },
  late: { glyph: "warn", word: "Late" },
  gone: { glyph: "expired", word: "Gone" },
  untold: { glyph: "unknown", word: "Not told" },
};

type Props = { queue: string; runtime: Runtime; atMs: number };

/** One worker's process: when it was heard of last, and what it holds. Without a name: writers that give none. */
export function RuntimeLane({ queue, runtime, atMs }: Props) {
  const { name, held, entries } = runtime;
  const { glyph, word } = MARKS[beatOf(runtime, atMs)];
  const href = `/lists${queryString({ queue, list: "processing", runtime: name || undefined })}`;
  const shown = name === "" ? "without a name" : markUnseen(name);
  return (
    <section className="wk" aria-label={name === "" ? "Writers that name no runtime" : `Runtime ${shown}`}>
      <header>
        <Glyph name={glyph} />
        <code data-tip={shown}>
          <Link href={href} prefetch={false}>
            {shown}
          </Link>
        </code>
        {held === null ? <span className="num">?</span> : <NumberLink value={held} href={href} />}
      </header>
      {entries.map((entry) => (
        <Held key={entry.place} entry={entry} atMs={atMs} />
      ))}
      <p className="why">
        <b>{word}.</b>{" "}
        {name === ""
          ? "Its writers send no heartbeat. A worker’s start drains what it has seen unchanged for 10 min."
          : sayBeat(runtime, atMs)}
      </p>
    </section>
  );
}

function Held({ entry, atMs }: { entry: ListedEntry; atMs: number }) {
  const whose = entry.subjectName ?? (entry.id === null ? `${entry.hash}: ${entry.odd}` : shortId(entry.id));
  return (
    <p>
      <span>{whose}</span>
      <span>{entry.atMs === null ? "age not told" : `queued ${duration(atMs - entry.atMs)} ago`}</span>
    </p>
  );
}
