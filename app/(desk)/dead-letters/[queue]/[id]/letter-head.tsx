import Link from "next/link";
import { RunbookLink } from "@/components/queue/runbook-link";
import { shortId } from "@/components/queue/short-id";
import { AttemptPips } from "@/components/ui/attempt-pips";
import { CopyId } from "@/components/ui/copy-button";
import { Fact } from "@/components/ui/fact";
import { LiveTime } from "@/components/ui/live-time";
import { StatePill } from "@/components/ui/state-tag";
import type { StateName } from "@/components/ui/state-words";
import type { Letter } from "@/lib/domain/dead-letter";
import { STATE_ENTRIES } from "@/lib/domain/runbook";

/** What the letter is: state, kind, whose, its key, attempts, lives and when it died. */
export function LetterHead({ letter, state }: { letter: Letter & { atMs: number }; state: StateName }) {
  const { subjectName, subjectId } = letter;
  return (
    <header className="dhead">
      <div className="l1">
        <StatePill state={state === "active" ? "dead" : state} />
        <h1>
          <bdi>{letter.kind}</bdi>
          {subjectId === null ? null : (
            <>
              {" "}
              for <bdi>{subjectName ?? shortId(subjectId)}</bdi>
            </>
          )}
        </h1>
        {state in STATE_ENTRIES ? (
          <RunbookLink
            entry={STATE_ENTRIES[state as keyof typeof STATE_ENTRIES]}
            about={`letters that are ${state.replace("_", " ")}`}
          />
        ) : null}
      </div>
      <dl className="kv">
        <Fact term="Letter">
          <CopyId id={letter.id} short={shortId(letter.id)} label="letter id" />
        </Fact>
        <Fact term="Character">{subjectId === null ? <Untold /> : <Subject id={subjectId} name={subjectName} />}</Fact>
        <Fact term="Realm">
          {letter.realmId ?? <Untold />}
          {letter.zoneId === null ? null : <span className="faint"> zone {letter.zoneId}</span>}
        </Fact>
        {letter.idempotencyKey === null ? null : (
          <Fact term="Idempotency key">
            <span className="mono">{letter.idempotencyKey}</span>
          </Fact>
        )}
        <Fact term="Attempts">
          {letter.attempts > 0 ? (
            <AttemptPips attempts={letter.attempts} limit={letter.attempts} words />
          ) : (
            "none recorded"
          )}
        </Fact>
        <Fact term="Lives">{letter.lives.length}</Fact>
        {letter.source === null ? null : <Fact term="Source">{letter.source}</Fact>}
        {letter.impact === null ? null : <Fact term="Session impact">{letter.impact}</Fact>}
        <Fact term="Died">
          <LiveTime atMs={letter.diedMs} nowMs={letter.atMs} />
        </Fact>
      </dl>
    </header>
  );
}

function Subject({ id, name }: { id: string; name: string | null }) {
  return (
    <>
      <Link className="num" href={`/dead-letters?state=all&subject=${encodeURIComponent(id)}`} prefetch={false}>
        {name ?? shortId(id)}
      </Link>{" "}
      {name ? <CopyId id={id} short={shortId(id)} label="character id" /> : null}
    </>
  );
}

const Untold = () => <span className="faint">its payload does not tell</span>;
