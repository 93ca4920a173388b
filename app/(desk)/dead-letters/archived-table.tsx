import Link from "next/link";
import { SelectBox } from "@/app/(desk)/dead-letters/select-box";
import type { Selected } from "@/app/(desk)/dead-letters/selection";
import { shortId } from "@/components/queue/short-id";
import { LiveTime } from "@/components/ui/live-time";
import { queryString } from "@/components/ui/query";
import { StateTag } from "@/components/ui/state-tag";
import { Row, Table, Td, Th } from "@/components/ui/table";
import type { ArchivedLetter } from "@/lib/console/archive/letter-row";
import type { QueueName } from "@/lib/domain/queue";

type Props = {
  letters: readonly ArchivedLetter[];
  /** The database clock of the reading. */
  nowMs: number;
  /** With a tick on each letter that is open. */
  selectable?: boolean;
};

/** Dead letters of all queues, the newest first; each row leads to its letter. */
export function ArchivedTable({ letters, nowMs, selectable }: Props) {
  const open = selectable ? letters.filter(isOpen).map(selected) : [];
  const tick =
    open.length > 0 ? (
      <Th className="tick">
        <SelectBox letters={open} label="Select all open letters of this page" />
      </Th>
    ) : null;
  return (
    <Table
      label="Dead letters"
      head={
        <>
          {tick}
          {HEAD}
        </>
      }
    >
      {letters.map((letter) => (
        <LetterRow
          key={`${letter.queue} ${letter.id} ${letter.generation}`}
          letter={letter}
          nowMs={nowMs}
          ticks={open.length > 0}
        />
      ))}
    </Table>
  );
}

const isOpen = ({ state }: ArchivedLetter) => state === "open";
const selected = ({ queue, id }: ArchivedLetter): Selected => ({ queue: queue as QueueName, id });

const HEAD = (
  <>
    <Th>State</Th>
    <Th>Letter</Th>
    <Th>Kind</Th>
    <Th>Character</Th>
    <Th>Error</Th>
    <Th end>Attempts</Th>
    <Th end aria-sort="descending">
      Died
    </Th>
  </>
);

function LetterRow({ letter, nowMs, ticks }: { letter: ArchivedLetter; nowMs: number; ticks: boolean }) {
  const { queue, id, generation, kind, subjectId, subjectName } = letter;
  return (
    <Row listed>
      {ticks ? (
        <Td className="tick">
          {isOpen(letter) ? <SelectBox letters={[selected(letter)]} label={`Select letter ${shortId(id)}`} /> : null}
        </Td>
      ) : null}
      <Td className="o1">
        <StateTag state={letter.state} />
      </Td>
      <Td className="w2" name="Letter">
        <Link
          data-primary
          className="mono id"
          href={`/dead-letters/${queue}/${encodeURIComponent(id)}`}
          prefetch={false}
          data-tip={`${id}\n${queue}`}
        >
          {shortId(id)}
        </Link>
        {generation > 1 ? <span className="faint"> life {generation}</span> : null}
      </Td>
      <Td className="mono w2" name="Kind">
        {kind}
      </Td>
      <Td className="w2" name="Character">
        {subjectId === null ? (
          <span className="faint">none</span>
        ) : (
          <>
            <Link
              className="num"
              href={`/dead-letters${queryString({ state: "all", subject: subjectId })}`}
              prefetch={false}
            >
              {subjectName ?? shortId(subjectId)}
            </Link>
            {subjectName ? <span className="faint mono"> {shortId(subjectId)}</span> : null}
          </>
        )}
      </Td>
      <Td className="full fillcell olast">
        <span className="err1" data-tip={letter.error}>
          {letter.error}
        </span>
      </Td>
      <Td end name="Attempts">
        {letter.attempts}
      </Td>
      <Td end className="o2" name="Died">
        <LiveTime atMs={letter.diedMs} nowMs={nowMs} />
      </Td>
    </Row>
  );
}
