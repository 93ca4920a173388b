import { Glyph } from "@/components/ui/glyph";
import { NumberLink } from "@/components/ui/number-link";
import { queryString } from "@/components/ui/query";
import type { ImpactCount } from "@/lib/domain/impact";
import { IMPACT_WORDS, needsAttention, shownImpacts, WAITING_STATES } from "@/lib/domain/impact-words";
import type { Reading } from "@/lib/domain/queue";
import { duration } from "@/lib/domain/time";

type Props = {
  queue: string;
  impacts: Reading<ImpactCount[]>;
  /** These are old values: no colour speaks of now. */
  dim: boolean;
};

/** Waiting writes by what they do to the player's session: how many of each and the oldest; each opens its rows. */
export function ImpactStrip({ queue, impacts, dim }: Props) {
  return (
    <div className={dim ? "impacts dim" : "impacts"}>
      <p className="what">Waiting by session impact</p>
      {impacts.kind === "read" ? (
        <dl aria-label={`Waiting writes of ${queue} by session impact`}>
          {shownImpacts(impacts.value).map((count) => (
            <One key={count.impact} queue={queue} count={count} dim={dim} />
          ))}
        </dl>
      ) : (
        <p className="faint">{impacts.sentence}</p>
      )}
    </div>
  );
}

function One({ queue, count, dim }: { queue: string; count: ImpactCount; dim: boolean }) {
  const { impact, waiting, oldestMs } = count;
  const late = !dim && needsAttention(count);
  const href = `/retries${queryString({ queue, state: WAITING_STATES, impact })}`;
  return (
    <div>
      <dt>
        {late ? <Glyph name="warn" /> : null}
        {IMPACT_WORDS[impact]}
      </dt>
      <dd>
        <NumberLink value={waiting} href={href} tone={late ? "late" : undefined} />
        {oldestMs === null || dim ? null : <span className="faint">, oldest {duration(oldestMs)}</span>}
      </dd>
    </div>
  );
}
