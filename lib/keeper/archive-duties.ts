import type { Pool } from "pg";
import { archiveNew, type Resume } from "@/lib/console/archive/archive-new";
import { isArchived } from "@/lib/console/archive/copy";
import { type Awaited, followLetters } from "@/lib/console/archive/follow";
import { walkHistory } from "@/lib/console/archive/walk";
import type { Queue } from "@/lib/queues/queue";
import { AGAIN, type Duty } from "./loop";

const NEW_MS = 1_000;
const FOLLOW_MS = 1_000;
/** 1,000 ids a step: some thousand a minute. */
const WALK_MS = 10_000;

/** What keeps the letters of one queue: the new ones, the late ones, and what becomes of them all. None: it has none. */
export function archiveDuties(own: Pool, queue: Queue): Duty[] {
  if (!isArchived(queue)) return [];
  let resume: Resume = null;
  const awaited: Awaited = { after: "" };
  return [
    {
      name: `archive:${queue.name}`,
      everyMs: NEW_MS,
      async run() {
        const from = resume;
        resume = null;
        const run = await archiveNew(own, queue, from);
        resume = run.resume;
        return run.more ? AGAIN : null;
      },
    },
    {
      name: `archive-walk:${queue.name}`,
      everyMs: WALK_MS,
      run: async () => ((await walkHistory(own, queue)).more ? AGAIN : null),
    },
    { name: `archive-follow:${queue.name}`, everyMs: FOLLOW_MS, run: () => followLetters(own, queue, awaited) },
  ];
}
