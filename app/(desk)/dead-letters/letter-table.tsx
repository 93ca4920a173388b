import Link from "next/link";
import { shortId } from "@/components/queue/short-id";
import { LiveTime } from "@/components/ui/live-time";
import { queryString } from "@/components/ui/query";
import { StateTag } from "@/components/ui/state-tag";
import { Row, Table, Td, Th } from "@/components/ui/table";
import type { LetterSummary } from "@/lib/domain/dead-letter";

type Props = {
  letters: readonly LetterSummary[];
  /** The database clock of the reading. */
  nowMs: number;
};

/** Dead letters, the newest first; each row leads to its letter. */
export function LetterTable({ letters, nowMs }: Props) {
  return (
    <Table label="Dead letters" head={HEAD}>
      {letters.map((letter) => (
        <LetterRow key={letter.id} letter={letter} nowMs={nowMs} />
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

function LetterRow({ letter, nowMs }: { letter: LetterSummary; nowMs: number }) {
  const { queue, id, subjectId, subjectName } = letter;
  return (
    <Row listed>
      <Td className="o1">
        <StateTag state={letter.state} />
      </Td>
      <Td className="w2" name="Letter">
        <Link data-primary className="mono id" href={`/dead-letters/${queue}/${id}`} prefetch={false} data-tip={id}>
          {shortId(id)}
        </Link>
      </Td>
      <Td className="mono w2" name="Kind">
        {letter.kind}
      </Td>
      <Td className="w2" name="Character">
        <Link
          className="num"
          href={`/dead-letters${queryString({ state: "all", subject: subjectId })}`}
          prefetch={false}
        >
          {subjectName ?? shortId(subjectId)}
        </Link>
        {subjectName ? <span className="faint mono"> {shortId(subjectId)}</span> : null}
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
