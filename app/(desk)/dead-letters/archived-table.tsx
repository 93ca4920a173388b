import Link from "next/link";
import { shortId } from "@/components/queue/short-id";
import { LiveTime } from "@/components/ui/live-time";
import { queryString } from "@/components/ui/query";
import { StateTag } from "@/components/ui/state-tag";
import { Row, Table, Td, Th } from "@/components/ui/table";
import type { ArchivedLetter } from "@/lib/console/archive/letter-row";

type Props = {
  letters: readonly ArchivedLetter[];
  /** The database clock of the reading. */
  nowMs: number;
};

/** Dead letters of all queues, the newest first; each row leads to its letter. */
export function ArchivedTable({ letters, nowMs }: Props) {
  return (
    <Table label="Dead letters" head={HEAD}>
      {letters.map((letter) => (
        <LetterRow key={`${letter.queue} ${letter.id} ${letter.generation}`} letter={letter} nowMs={nowMs} />
      ))}
    </Table>
  );
}

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

function LetterRow({ letter, nowMs }: { letter: ArchivedLetter; nowMs: number }) {
  const { queue, id, generation, kind, subjectId, subjectName } = letter;
  return (
    <Row listed>
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
