import type { Queue, Sources } from "@/lib/queues/queue";
import { archiveReader } from "./archive";
import { readDepths } from "./depths";
import { requeueDoor } from "./door";
import { letterReader } from "./letters";
import { listReader } from "./lists";
import { minuteReader } from "./minutes";

/** The session lifecycle journal in Redis lists (`contracts.md` §2). */
export function sessionLifecycle({ redis, rpc, sessionActiveKey = null, hashToken }: Sources): Queue {
  const nothing = { kind: "not_configured", sentence: "REDIS_URL is not set." } as const;
  return {
    name: "session-lifecycle",
    shape: "redis-list",
    leases: false,
    schedules: false,
    deadLetterCap: null,
    keepsLettersAfterRequeue: false,
    jobs: null,
    list: redis && listReader(redis),
    workers: null,
    impacts: null,
    letters: redis && letterReader(redis),
    minutes: redis && minuteReader(redis),
    archive: redis && archiveReader(redis, hashToken),
    door: redis && requeueDoor({ redis, rpc, sessionActiveKey }),
    readDepths: () => (redis ? readDepths(redis) : Promise.resolve(nothing)),
    readGaps: async () => (redis ? [] : [nothing.sentence]),
  };
}
