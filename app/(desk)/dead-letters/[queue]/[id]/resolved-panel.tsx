import { Button } from "@/components/ui/button";
import { LiveTime } from "@/components/ui/live-time";
import { StateTag } from "@/components/ui/state-tag";
import { Typed } from "@/components/ui/typed";
import { QuietDecision } from "./quiet-decision";

/** A person's decision that nothing is owed. */
export type Resolution = { atMs: number; by: string | null; reason: string | null };

type Props = { resolution: Resolution; nowMs: number; queue: string; letterId: string; forbidden: string | null };

/**
 * Who decided that nothing is owed for this letter, when and why, and the way back. `forbidden`: why this person may not
 * take it; null: they may.
 */
export function ResolvedPanel({ resolution, nowMs, queue, letterId, forbidden }: Props) {
  return (
    <section className="guard" aria-labelledby="res-h">
      <h2 id="res-h">Resolved</h2>
      <div className="outcome" aria-live="polite">
        <StateTag state="resolved" />
        <p>
          Resolved by <b>{resolution.by ?? "somebody"}</b> <LiveTime atMs={resolution.atMs} nowMs={nowMs} />
          {resolution.reason ? (
            <>
              : “<Typed>{resolution.reason}</Typed>”
            </>
          ) : (
            "."
          )}
        </p>
        <p className="faint">Nothing is owed for it. The letter is still dead in its store, as it was.</p>
      </div>
      {forbidden === null ? (
        <QuietDecision summary="Reopen this letter" verb="reopen" queue={queue} letterId={letterId} />
      ) : (
        <Button wide disabledReason={forbidden}>
          Reopen 1 letter
        </Button>
      )}
    </section>
  );
}
