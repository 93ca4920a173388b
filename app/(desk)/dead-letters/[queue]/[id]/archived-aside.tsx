import Link from "next/link";
import { ReadWhenBack } from "@/components/queue/read-when-back";
import { Callout } from "@/components/ui/callout";
import { LiveTime } from "@/components/ui/live-time";
import { StateTag } from "@/components/ui/state-tag";
import { STATES, type StateName } from "@/components/ui/state-words";
import { Typed } from "@/components/ui/typed";
import type { KeptLetter } from "@/lib/console/archive/find-letter";
import type { LetterPage } from "@/lib/console/letters/read-letter";

type Props = { kept: KeptLetter; queue: string; from: LetterPage["from"] };

/** The right half where the letter is shown from the archive: nothing can be requeued from here. */
export function ArchivedAside({ kept, queue, from }: Props) {
  const state: StateName = kept.state === "open" ? "active" : kept.state;
  return (
    <aside className="side2" aria-label="Outcome">
      <section className="blk" aria-labelledby="out-h">
        <div className="sechead">
          <h2 id="out-h">Outcome</h2>
        </div>
        {from.kind === "unread" ? (
          <Callout tone="warn" title="This letter could not be read in its store">
            {from.sentence} What is shown is the archive’s copy. Nothing can be requeued until its store answers.
            <ReadWhenBack />
          </Callout>
        ) : null}
        <div className="outcome">
          <StateTag state={state} />
          <p>
            {from.kind === "unread" ? "Last known: " : "Not in its store any more. Last known: "}
            {STATES[state].word.toLowerCase()}, <LiveTime atMs={kept.stateMs} nowMs={kept.atMs} />.
          </p>
          {kept.resolution ? (
            <p>
              Resolved by <b>{kept.resolution.by ?? "somebody"}</b>
              {kept.resolution.reason ? (
                <>
                  : “<Typed>{kept.resolution.reason}</Typed>”
                </>
              ) : null}
            </p>
          ) : null}
          {kept.nextLetterId ? (
            <p>
              <Link className="link" href={`/dead-letters/${queue}/${kept.nextLetterId}`} prefetch={false}>
                Open the letter that it died into
              </Link>
            </p>
          ) : null}
        </div>
      </section>
    </aside>
  );
}
