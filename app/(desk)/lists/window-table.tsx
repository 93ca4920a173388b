import { WindowRow } from "@/app/(desk)/lists/window-row";
import { Table, Th } from "@/components/ui/table";
import type { ListedEntry, ListName } from "@/lib/domain/list-state";
import { LIST_WORDS } from "@/lib/domain/list-words";

type Props = { queue: string; list: ListName; entries: readonly ListedEntry[]; atMs: number };

/** A window of a list. What is not what the list is of says what it is instead, and by what bytes. */
export function WindowTable({ queue, list, entries, atMs }: Props) {
  const letters = list === "dead_letter";
  const seen = new Map<string, number>();
  for (const { hash } of entries) seen.set(hash, (seen.get(hash) ?? 0) + 1);
  return (
    <Table
      label={LIST_WORDS[list].word}
      head={
        <>
          <Th end>Place</Th>
          <Th>{letters ? "Letter" : "Entry"}</Th>
          <Th>Character</Th>
          <Th>Plan</Th>
          <Th>{letters ? "Error" : "What it is"}</Th>
          <Th end>Attempts</Th>
          <Th end className="hide-m">
            Size
          </Th>
          <Th end>{letters ? "Died" : "Queued"}</Th>
        </>
      }
    >
      {entries.map((entry) => (
        <WindowRow
          key={entry.place}
          queue={queue}
          letters={letters}
          entry={entry}
          twins={seen.get(entry.hash) ?? 1}
          atMs={atMs}
        />
      ))}
    </Table>
  );
}
