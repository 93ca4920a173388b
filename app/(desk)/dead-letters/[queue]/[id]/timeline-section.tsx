import Link from "next/link";
import { ReadWhenBack } from "@/components/queue/read-when-back";
import { shortId } from "@/components/queue/short-id";
import { Life, TimelineEntry } from "@/components/ui/timeline";
import { Typed } from "@/components/ui/typed";
import type { LetterOperation } from "@/lib/console/requeue/view";
import type { Attempt, Letter, Life as LifeOf } from "@/lib/domain/dead-letter";
import type { Reading } from "@/lib/domain/queue";
import { elapsed, utcClock } from "@/lib/domain/time";

type Props = { letter: Letter & { atMs: number }; operations: Reading<LetterOperation[]> };

/** Every life of this piece of work, oldest first: its attempts, its end, and who put it back and why. */
export function TimelineSection({ letter, operations }: Props) {
  const lives = letter.lives;
  const tried = operations.kind === "read" ? operations.value : [];
  return (
    <section className="blk" aria-labelledby="tl-h">
      <div className="sechead">
        <h2 id="tl-h">Timeline</h2>
        <span className="sub">
          {lives.length} {lives.length === 1 ? "life" : "lives"}, all times UTC
        </span>
      </div>
      {lives.map((life, index) => (
        <Life key={life.jobId} title={`Life ${index + 1}`} span={spanOf(life)}>
          <Begin life={life} nowMs={letter.atMs} />
          {life.attempts.map((attempt, tryIndex) => (
            <Try
              key={attempt.attempt}
              attempt={attempt}
              next={life.attempts[tryIndex + 1]}
              last={life.end === "dead" && tryIndex === life.attempts.length - 1}
              nowMs={letter.atMs}
            />
          ))}
          <End life={life} letter={letter} />
          {tried
            .filter((operation) => operation.letterId === life.letterId)
            .map((operation) => (
              <TimelineEntry
                key={operation.operationId}
                atMs={operation.intendedMs}
                nowMs={letter.atMs}
                mark={{ glyph: "requeued" }}
              >
                <b>{operation.by}</b> pressed requeue
                {operation.reason ? (
                  <>
                    : “<Typed>{operation.reason}</Typed>”
                  </>
                ) : (
                  "."
                )}{" "}
                <span className="faint">{operation.sentence}</span>
              </TimelineEntry>
            ))}
        </Life>
      ))}
      {operations.kind === "failed" ? (
        <p className="muted">
          Who requeued it could not be read: {operations.sentence}
          <ReadWhenBack />
        </p>
      ) : null}
    </section>
  );
}

function spanOf(life: LifeOf): string {
  const from = life.startedMs === null ? "start not recorded" : utcClock(life.startedMs);
  const to = life.endedMs === null ? "" : ` to ${utcClock(life.endedMs)}`;
  const count = life.attempts.length;
  const tries = life.attemptsKept ? `, ${count} attempt${count === 1 ? "" : "s"} kept` : ", attempts are not kept here";
  return `${from}${to}${tries}`;
}

function Begin({ life, nowMs }: { life: LifeOf; nowMs: number }) {
  return (
    <TimelineEntry atMs={life.startedMs} nowMs={nowMs} mark={{ icon: "plus" }}>
      {life.requeuedFrom === null ? (
        <>
          <b>Queued</b>
          {life.source ? (
            <>
              {" "}
              by <code>{life.source}</code>
            </>
          ) : null}
        </>
      ) : (
        <>
          <b>Back in the queue</b> as job <code>{shortId(life.jobId)}</code>
        </>
      )}
    </TimelineEntry>
  );
}

type TryProps = { attempt: Attempt; next: Attempt | undefined; last: boolean; nowMs: number };

function Try({ attempt, next, last, nowMs }: TryProps) {
  const took = (
    <>
      after {elapsed(attempt.durationMs)} on <code>{attempt.worker}</code>
    </>
  );
  if (attempt.error === null) {
    return (
      <TimelineEntry atMs={attempt.atMs} nowMs={nowMs} mark={{ glyph: "ok" }}>
        <b>Attempt {attempt.attempt}</b> succeeded {took}
      </TimelineEntry>
    );
  }
  return (
    <TimelineEntry atMs={attempt.atMs} nowMs={nowMs} mark={{ glyph: last ? "dead" : "retrying" }}>
      <b>
        Attempt {attempt.attempt}
        {last ? ", gave up" : ""}
      </b>{" "}
      failed {took}
      {next ? `, next in ${elapsed(next.atMs - attempt.atMs)}` : ""}
    </TimelineEntry>
  );
}

function End({ life, letter }: { life: LifeOf; letter: Letter & { atMs: number } }) {
  const nowMs = letter.atMs;
  switch (life.end) {
    case "dead":
      return life.letterId === letter.id ? (
        <TimelineEntry atMs={life.endedMs} nowMs={nowMs} mark={{ glyph: "dead" }}>
          <b>Dead</b> as this letter
        </TimelineEntry>
      ) : (
        <TimelineEntry atMs={life.endedMs} nowMs={nowMs} mark={{ glyph: "dead" }}>
          <b>Dead</b> as letter{" "}
          <Link className="link mono" href={`/dead-letters/${letter.queue}/${life.letterId}`} prefetch={false}>
            {shortId(life.letterId ?? "")}
          </Link>
        </TimelineEntry>
      );
    case "waiting":
      return (
        <TimelineEntry atMs={null} nowMs={nowMs} mark={{ glyph: "awaiting" }}>
          <b>Awaiting</b> its outcome
        </TimelineEntry>
      );
    case "recovered":
      return (
        <TimelineEntry atMs={life.endedMs} nowMs={nowMs} mark={{ glyph: "recovered" }}>
          <b>Recovered</b>: the write took effect
        </TimelineEntry>
      );
    case "superseded":
      return (
        <TimelineEntry atMs={life.endedMs} nowMs={nowMs} mark={{ glyph: "superseded" }}>
          <b>Superseded</b>: settled without effect
        </TimelineEntry>
      );
    case "left_unproved":
      return (
        <TimelineEntry atMs={life.endedMs} nowMs={nowMs} mark={{ glyph: "left" }}>
          <b>Left, not proved</b>: gone from the queue, and no outcome is kept
        </TimelineEntry>
      );
    default:
      return life.end satisfies never;
  }
}
