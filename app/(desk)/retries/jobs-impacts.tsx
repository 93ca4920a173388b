"use client";

import { useQuery } from "@tanstack/react-query";
import { overviewQuery } from "@/app/(desk)/live/use-overview";
import { ImpactStrip } from "@/components/queue/impact-strip";
import { useClockMode } from "@/components/ui/db-clock";

/** What waits by its session impact, from the desk's one reading, which the frame has brought and keeps coming. */
export function JobsImpacts({ queue }: { queue: string }) {
  const { data, isError } = useQuery(overviewQuery);
  const stale = useClockMode() === "stale" || isError;
  const impacts = data?.queues.find(({ name }) => name === queue)?.impacts ?? null;
  if (impacts === null) return null;
  return (
    <div className="underhead">
      <ImpactStrip queue={queue} impacts={impacts} dim={stale} />
      <a className="link towork" href="#workers">
        Leases by worker
      </a>
    </div>
  );
}
