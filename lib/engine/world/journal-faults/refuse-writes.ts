import { Redis } from "ioredis";
import { log } from "@/lib/engine/log";

/** A Redis that refuses every write that would need memory, or takes them again. */
export type RefusalSwitch = {
  /** Throws what Redis says where it was to refuse; what cannot be taken back now is taken back the next time. */
  set(refuses: boolean): Promise<void>;
  /** It takes writes again, whatever was set. */
  close(): Promise<void>;
};

/** One byte: more than that is always in use, so that with `noeviction` it is out of memory. */
const NOTHING = "1";

/** @param url of a user who may set the server's memory limit, and read and write no key */
export function refusalSwitch(url: string): RefusalSwitch {
  const redis = new Redis(url, {
    connectionName: "engine-demo",
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    commandTimeout: 2_000,
    retryStrategy: (times) => Math.min(times * 200, 2_000),
  });
  redis.on("error", () => {});
  // Unknown at the start: an earlier life may have left it refusing.
  let now: boolean | null = null;

  async function set(refuses: boolean): Promise<void> {
    if (now === refuses) return;
    // What becomes of an answer that is lost is not known: it is set again.
    now = null;
    try {
      await redis.config("SET", "maxmemory", refuses ? NOTHING : "0");
    } catch (error) {
      if (refuses) throw error;
      return;
    }
    now = refuses;
    log("demo_redis", { refuses });
  }

  return {
    set,
    async close() {
      await set(false);
      redis.disconnect();
    },
  };
}
