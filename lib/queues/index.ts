import type { QueueName } from "@/lib/domain/queue";
import { persistenceRetry } from "./persistence-retry";
import type { Queue, Sources } from "./queue";
import { sessionLifecycle } from "./session-lifecycle";

/** The registry: every queue that this console knows, in the order in which the screens list them. */
export const QUEUES: Record<QueueName, (sources: Sources) => Queue> = {
  "persistence-retry": persistenceRetry,
  "session-lifecycle": sessionLifecycle,
};

/** All queues over some sources. */
export function queuesOf(sources: Sources): Queue[] {
  return Object.values(QUEUES).map((make) => make(sources));
}

/** One queue by the name in a URL; null when there is none of that name. */
export function findQueue(name: string, sources: Sources): Queue | null {
  return Object.hasOwn(QUEUES, name) ? QUEUES[name as QueueName](sources) : null;
}
