"use client";

import { Button } from "@/components/ui/button";
import { DiffTable } from "@/components/ui/diff-table";
import { LiveTime } from "@/components/ui/live-time";
import { useRequeue } from "./requeue-provider";

/** 'What a requeue would do': each field now and after, from the engine's facts. Absent once the letter was requeued. */
export function EffectsSection() {
  const { active, preflight, reading, readAgain } = useRequeue();
  if (!active || preflight === null) return null;
  const read = preflight.kind === "read" ? preflight.value : null;
  return (
    <section className="blk" aria-labelledby="diff-h">
      <div className="sechead">
        <h2 id="diff-h">What a requeue would do</h2>
        {read ? (
          <span className="sub">
            read <LiveTime atMs={read.readMs} nowMs={read.readMs} />, nothing is written
          </span>
        ) : null}
        <span className="end">
          <Button
            variant="quiet"
            size="sm"
            icon="refresh-cw"
            onClick={readAgain}
            disabledReason={reading ? "Reading" : null}
          >
            Read again
          </Button>
        </span>
      </div>
      {read?.effects && read.effects.length > 0 ? (
        <DiffTable effects={read.effects} payloadHead="Payload" label="What a requeue would do" />
      ) : (
        <p className="muted">
          {preflight.kind === "read"
            ? "The engine gives no facts for this letter, so what applying would do cannot be told from here."
            : preflight.sentence}
        </p>
      )}
      {read?.effectsCut ? <p className="muted">Only the first fields are shown; the list is cut at 4 KiB.</p> : null}
    </section>
  );
}
