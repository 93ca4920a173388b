import { Glyph } from "@/components/ui/glyph";
import type { GlyphName } from "@/components/ui/glyph-paths";

/** How a store or the engine answers. `note` is the tooltip. */
export type Connection = {
  name: string;
  state: "ok" | "no_answer" | "not_configured";
  /** Round trip of the last reading. */
  ms?: number | null;
  note?: string;
};

const GLYPH: Record<Connection["state"], GlyphName> = {
  ok: "ok",
  no_answer: "warn",
  not_configured: "unconfigured",
};

function answerOf({ state, ms }: Connection): string {
  if (state === "no_answer") return "no answer";
  if (state === "not_configured") return "not configured";
  return ms == null ? "answers" : `${Math.round(ms)} ms`;
}

/** Postgres, Redis and the engine, each with how fast it answered last. */
export function Connections({ connections }: { connections: readonly Connection[] }) {
  return (
    <dl className="conns">
      {connections.map((each) => (
        <div key={each.name} data-tip={each.note} data-tip-rail={`${each.name}: ${answerOf(each)}`}>
          <dt>
            <Glyph name={GLYPH[each.state]} />
            <span className="lbl">{each.name}</span>
          </dt>
          <dd className="lbl">{answerOf(each)}</dd>
        </div>
      ))}
    </dl>
  );
}
