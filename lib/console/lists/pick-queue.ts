import { mayUse } from "@/lib/auth/may-use";
import type { Who } from "@/lib/auth/role";
import { queues } from "@/lib/console/sources";
import type { Queue } from "@/lib/queues/queue";

/** Queues whose jobs, or whose letters, this desk can list; and the one that was asked for. */
export type Picked = {
  names: string[];
  queue: Queue | null;
  /** Why it is another one than was asked for, or none. */
  note: string | null;
};

/** The queue that a list is of: the one named, else the first that has such a list; of those that the viewer may see. */
export function pickQueue(
  asked: string | undefined,
  has: (queue: Queue) => boolean,
  viewer: Pick<Who, "queues">,
): Picked {
  const seen = queues().filter(({ name }) => mayUse(viewer, name));
  const listed = seen.filter(has);
  const names = listed.map(({ name }) => name);
  const queue = listed.find(({ name }) => name === asked) ?? listed[0] ?? null;
  if (asked === undefined || queue?.name === asked) return { names, queue, note: null };
  const known = seen.some(({ name }) => name === asked);
  const why = known ? `${asked} is counted on the Overview, not listed.` : "There is no such queue.";
  return { names, queue, note: queue === null ? why : `${why} This is ${queue.name}.` };
}
