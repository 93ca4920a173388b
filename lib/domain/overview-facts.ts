import type { Overview, QueueOverview } from "./overview";

// Apart from the schema, so that a browser that only asks these does not load what checks it.

/** The database clock of a reading; null when it could not be read. */
export function clockOf({ clock }: Overview): number | null {
  return clock.kind === "read" ? clock.value.atMs : null;
}

/** Dead letters of a queue that no person has resolved; null: they could not be read. */
export function openOf({ depths, resolved }: Pick<QueueOverview, "depths" | "resolved">): number | null {
  if (depths.kind !== "read" || depths.value.dead === null) return null;
  return Math.max(0, depths.value.dead - (resolved ?? 0));
}

/** Open letters that this desk lists, over all queues; null when none of those queues could be read. */
export function openLetters({ queues }: Overview): number | null {
  const counts = queues
    .filter(({ lists }) => lists.letters)
    .map(openOf)
    .filter((count) => count !== null);
  return counts.length > 0 ? counts.reduce((sum, count) => sum + count, 0) : null;
}
