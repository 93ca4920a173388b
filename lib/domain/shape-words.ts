import type { QueueShape } from "./queue";

/** How the screens call what a queue is stored in. */
export const SHAPE_WORDS: Record<QueueShape, string> = {
  "postgres-lease": "Postgres lease",
  "redis-list": "Redis list",
  "redis-stream": "Redis stream",
};

/** The store of a queue, as sentences call it. */
export const STORE_NAMES: Record<QueueShape, "Postgres" | "Redis"> = {
  "postgres-lease": "Postgres",
  "redis-list": "Redis",
  "redis-stream": "Redis",
};
