import { config } from "@/lib/config";
import { tokenHash } from "@/lib/console/archive/token-hash";
import { pools } from "@/lib/db/pools";
import { rpcClientOf } from "@/lib/internal-rpc/configured";
import { findQueue, queuesOf } from "@/lib/queues";
import type { Queue, Sources } from "@/lib/queues/queue";

// On globalThis, since a bundler may load this module more than once in one process.
const holder = globalThis as typeof globalThis & { backstopSources?: Sources };

/** What this web process reads from and calls, as configured. */
export function sources(): Sources {
  holder.backstopSources ??= {
    game: pools().game,
    redis: pools().redis,
    rpc: rpcClientOf(config()),
    sessionActiveKey: config().sessionActiveKey,
    hashToken: (token) => tokenHash(token, config().secret),
  };
  return holder.backstopSources;
}

/** Every queue, in the order of the screens. */
export const queues = (): Queue[] => queuesOf(sources());

/** One queue by the name in a URL; null when there is none. */
export const queueNamed = (name: string): Queue | null => findQueue(name, sources());
