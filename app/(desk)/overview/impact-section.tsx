import { ImpactStrip } from "@/components/queue/impact-strip";
import type { QueueOverview } from "@/lib/domain/overview";

type Props = { queues: readonly QueueOverview[]; stale: boolean };

/** Under the queues: what waits by what it does to the players' sessions, of each queue that tells it. */
export function ImpactSection({ queues, stale }: Props) {
  return queues.map(({ name, impacts }) =>
    impacts && impacts.kind !== "not_configured" ? (
      <div key={name} className="underqueues">
        <ImpactStrip queue={name} impacts={impacts} dim={stale || impacts.kind === "failed"} />
      </div>
    ) : null,
  );
}
