import Link from "next/link";
import { shortId } from "@/components/queue/short-id";
import { queryString } from "@/components/ui/query";
import { Row, Td } from "@/components/ui/table";
import type { ListedEntry } from "@/lib/domain/list-state";
import { sayBytes } from "@/lib/domain/list-words";
import { duration, utcFull } from "@/lib/domain/time";
import { markUnseen } from "@/lib/domain/unseen";

type Props = {
  queue: string;
  /** It is of the list of dead letters. */
  letters: boolean;
  entry: ListedEntry;
  /** How many of this window are the same bytes. */
  twins: number;
  atMs: number;
};

export function WindowRow({ queue, letters, entry, twins, atMs }: Props) {
  const { place, id, hash, plan, attempts, bytes } = entry;
  return (
    <Row listed={letters}>
      <Td end name="Place" className="o1">
        {(place + 1).toLocaleString("en-US")}
      </Td>
      <Td className="w2" name={letters ? "Letter" : "Entry"}>
        {letters && id !== null ? (
          <Link
            data-primary
            className="mono id"
            href={`/dead-letters/${queue}/${encodeURIComponent(id)}`}
            prefetch={false}
            data-tip={markUnseen(id)}
          >
            {shortId(id)}
          </Link>
        ) : (
          <span className="mono" data-tip={id ?? `sha256 ${hash}…`}>
            {id === null ? `${hash}…` : shortId(id)}
          </span>
        )}
        {twins > 1 ? <span className="faint"> {twins} of the same bytes</span> : null}
      </Td>
      <Td className="w2" name="Character">
        <Subject entry={entry} />
      </Td>
      <Td className="w2" name="Plan">
        {plan === null ? <span className="faint">not told</span> : plan.replaceAll("_", " ")}
      </Td>
      <Td className="full fillcell olast">
        <What entry={entry} />
      </Td>
      <Td end name="Attempts">
        {attempts ?? "–"}
      </Td>
      <Td end name="Size" className="hide-m">
        {sayBytes(bytes)}
      </Td>
      <Td end className="o2" name={letters ? "Died" : "Queued"}>
        {entry.atMs === null ? (
          <span className="faint">not told</span>
        ) : (
          <span data-tip={utcFull(entry.atMs)}>{duration(Math.max(0, atMs - entry.atMs))} ago</span>
        )}
      </Td>
    </Row>
  );
}

function Subject({ entry: { subjectId, subjectName } }: { entry: ListedEntry }) {
  if (subjectId === null) return <span className="faint">not told</span>;
  return (
    <Link className="num" href={`/dead-letters${queryString({ state: "all", subject: subjectId })}`} prefetch={false}>
      {subjectName ?? shortId(subjectId)}
    </Link>
  );
}

function What({ entry: { odd, error, requeuedFrom } }: { entry: ListedEntry }) {
  if (error !== null) {
    return (
      <span className="err1" data-tip={error}>
        {error}
      </span>
    );
  }
  if (odd !== null) return <span className="err1">Not an entry: {odd}. It is kept as it is.</span>;
  return requeuedFrom === null ? "An entry" : <>Requeued from {shortId(requeuedFrom)}</>;
}
