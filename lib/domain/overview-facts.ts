import type { Overview } from "./overview";

// Apart from the schema, so that a browser that only asks these does not load what checks it.

/** The database clock of a reading; null when it could not be read. */
export function clockOf({ clock }: Overview): number | null {
  return clock.kind === "read" ? clock.value.atMs : null;
}

/** Dead letters that this desk lists, over all queues; null when none of those queues could be read. */
export function openLetters({ queues }: Overview): number | null {
  const counts = queues.flatMap(({ lists, depths }) =>
    lists.letters && depths.kind === "read" && depths.value.dead !== null ? [depths.value.dead] : [],
  );
  return counts.length > 0 ? counts.reduce((sum, count) => sum + count, 0) : null;
}
