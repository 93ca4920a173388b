import type { Redis } from "ioredis";
import type { ListReader } from "@/lib/queues/queue";
import { readListState } from "./list-state";
import { readWindow } from "./window";

/** The journal's lists as they stand in Redis. */
export const listReader = (redis: Redis): ListReader => ({
  readState: () => readListState(redis),
  readWindow: (ask) => readWindow(redis, ask),
});
