import { mayUse } from "@/lib/auth/may-use";
import type { Who } from "@/lib/auth/role";
import type { ChartMark, History } from "@/lib/domain/history";
import type { Overview } from "@/lib/domain/overview";
import type { Reading } from "@/lib/domain/queue";
import type { Recent } from "@/lib/domain/recent";

type Viewer = Pick<Who, "queues">;

// A reading is shared by all who look; what a person may see of it is cut out for each.

/** The part of the Overview that somebody may see. The demo's world is of all queues. */
export function ofQueues(viewer: Viewer): (overview: Overview) => Overview {
  return (overview) => ({
    ...overview,
    queues: overview.queues.filter(({ name }) => mayUse(viewer, name)),
    demo: viewer.queues === null ? overview.demo : null,
  });
}

/** The same of what was sampled of late. */
export function recentOfQueues(viewer: Viewer): (recent: Reading<Recent>) => Reading<Recent> {
  return (recent) =>
    recent.kind === "read"
      ? {
          ...recent,
          value: { ...recent.value, queues: recent.value.queues.filter(({ name }) => mayUse(viewer, name)) },
        }
      : recent;
}

/** The same of the charts of a range. */
export function historyOfQueues(viewer: Viewer): (history: Reading<History>) => Reading<History> {
  return (history) => {
    if (history.kind !== "read" || viewer.queues === null) return history;
    const { queues, deaths, marks, ...rest } = history.value;
    const value = {
      ...rest,
      queues: queues.filter(({ name }) => mayUse(viewer, name)),
      deaths: deaths.filter(({ queue }) => mayUse(viewer, queue)),
      marks: marksOfQueues(viewer, marks),
    };
    return { kind: "read", value };
  };
}

/** Marks of no queue are everybody's. */
export function marksOfQueues(viewer: Viewer, marks: ChartMark[]): ChartMark[] {
  return marks.filter(({ queue }) => !queue || mayUse(viewer, queue));
}
