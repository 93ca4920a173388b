import { Glyph } from "@/components/ui/glyph";
import type { GlyphName } from "@/components/ui/glyph-paths";
import { Icon } from "@/components/ui/icon";
import { readPublicStatus } from "@/lib/auth/public-status";
import { pools } from "@/lib/db/pools";
import { elapsed, utcClock } from "@/lib/domain/time";

/** Live readings of the stores, taken while the page is written. */
export async function StatusLines() {
  const { postgres, redis } = await readPublicStatus(pools());
  return (
    <ul className="pubstat" aria-label="Status">
      {postgres ? (
        <Line glyph="ok" text="Console and Postgres answer" value={elapsed(postgres.tookMs)} />
      ) : (
        <Line glyph="warn" text="Postgres does not answer" value="sign-in waits for it" />
      )}
      {redis === "not_configured" ? (
        <Line glyph="unconfigured" text="Redis is not configured" value="" />
      ) : redis ? (
        <Line glyph="ok" text="Redis answers" value={elapsed(redis.tookMs)} />
      ) : (
        <Line glyph="warn" text="Redis does not answer" value="" />
      )}
      <li>
        <Icon name="clock" />
        <span>Database clock</span>
        <span>{postgres ? `${utcClock(postgres.atMs)} UTC` : "unknown"}</span>
      </li>
    </ul>
  );
}

function Line({ glyph, text, value }: { glyph: GlyphName; text: string; value: string }) {
  return (
    <li>
      <Glyph name={glyph} />
      <span>{text}</span>
      <span>{value}</span>
    </li>
  );
}
