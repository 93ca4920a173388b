import { cx } from "@/components/ui/cx";
import { Glyph } from "@/components/ui/glyph";
import type { Effect } from "@/lib/domain/preflight";

const ROW: Record<Effect["change"], string | false> = {
  same: false,
  writes: false,
  resolves: false,
  attention: "chg",
  harmful: "bad",
};

const GLYPH: Record<Effect["change"], "ok" | "warn" | "block" | null> = {
  same: null,
  writes: null,
  resolves: "ok",
  attention: "warn",
  harmful: "block",
};

type Props = { effects: readonly Effect[]; payloadHead: string; nowHead?: string; label?: string };

/** What applying would write: the payload's value, what is there now, and what would be there after. */
export function DiffTable({ effects, payloadHead, nowHead = "Character now", label }: Props) {
  return (
    <table className="diff" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">{payloadHead}</th>
          <th scope="col">{nowHead}</th>
          <th scope="col">After a requeue</th>
        </tr>
      </thead>
      <tbody>
        {effects.map((effect) => (
          <tr key={effect.field} className={cx(ROW[effect.change])}>
            <th scope="row">{effect.field}</th>
            <td data-l="Payload">{effect.payload}</td>
            <td data-l="Now">{effect.now}</td>
            <td data-l="After a requeue" className="eff">
              <EffectGlyph change={effect.change} />
              {effect.change === "writes" || effect.change === "attention" || effect.change === "harmful" ? (
                <ins>{effect.after}</ins>
              ) : (
                effect.after
              )}
              {effect.note ? <span className="muted"> {effect.note}</span> : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function EffectGlyph({ change }: { change: Effect["change"] }) {
  const name = GLYPH[change];
  return name ? <Glyph name={name} /> : null;
}
