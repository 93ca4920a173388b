import type { QueueShape } from "./queue";

/** How the screens call what a queue is stored in. */
export const SHAPE_WORDS: Record<QueueShape, string> = {
  "postgres-lease": "Postgres lease",
  "redis-list": "Redis list",
  "redis-stream": "Redis stream",
};
