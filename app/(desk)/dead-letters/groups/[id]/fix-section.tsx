import { Time } from "@/components/ui/time";
import type { StateCounts } from "@/lib/console/archive/groups";
import type { Fix } from "@/lib/console/archive/read-group";
import { fixSentence } from "@/lib/domain/fix-words";

type Props = { fixes: readonly Fix[]; counts: StateCounts; nowMs: number };

const WHAT = { requeued: "A letter was last requeued", resolved: "A letter was last resolved" };

/** Did it help: deaths of this cause before and after what was done, and what became of what was put back. */
export function FixSection({ fixes, counts, nowMs }: Props) {
  const back = counts.recovered + counts.superseded + counts.died_again + counts.awaiting + counts.requeued_elsewhere;
  return (
    <section className="sec grouppart" aria-labelledby="fix-h">
      <div className="sechead">
        <h2 id="fix-h">Did the fix work</h2>
      </div>
      {fixes.length === 0 ? <p className="muted">No letter of this error has been requeued or resolved yet.</p> : null}
      <ul className="fixes">
        {fixes.map((fix) => (
          <li key={fix.what}>
            {WHAT[fix.what]} at <Time atMs={fix.atMs} nowMs={nowMs} show="clock" />. {fixSentence(fix)}
          </li>
        ))}
        {back > 0 ? (
          <li>
            Of {back.toLocaleString("en-US")} put back: {counts.recovered.toLocaleString("en-US")} recovered,{" "}
            {counts.superseded.toLocaleString("en-US")} superseded, {counts.died_again.toLocaleString("en-US")} died
            again, {(counts.awaiting + counts.requeued_elsewhere).toLocaleString("en-US")} not known yet.
          </li>
        ) : null}
      </ul>
    </section>
  );
}
