import type { Pool } from "pg";
import { one } from "@/lib/db/pg";
import type { Depths, Reading } from "@/lib/domain/queue";
import { failedReading, NotReadable } from "@/lib/queues/failed-reading";
import type { Queue, Sources } from "@/lib/queues/queue";
import { archiveReader } from "./archive";
import { DepthsRow, depthsSql } from "./depths-sql";
import { requeueDoor } from "./door";
import { gapsOf, readFeatures } from "./features";
import { impactReader } from "./impacts";
import { jobReader } from "./jobs";
import { letterReader } from "./letters";
import { minuteReader } from "./minutes";
import { workerReader } from "./workers";

async function readDepths(pool: Pool): Promise<Reading<Depths>> {
  try {
    const features = await readFeatures(pool);
    // A Postgres was given, so this is no queue that is not configured: letters may wait in it unseen.
    if (!features.jobs) throw new NotReadable("The reading role has no table persistence_retry_jobs.");
    return { kind: "read", value: await one(pool, depthsSql(features), DepthsRow) };
  } catch (error) {
    return failedReading(error, "Postgres");
  }
}

/** Retry jobs and their dead letters in the game's Postgres (`contracts.md` §1). */
export function persistenceRetry({ game, redis, rpc, sessionActiveKey = null, hashToken }: Sources): Queue {
  const nothing = { kind: "not_configured", sentence: "DATABASE_URL is not set." } as const;
  return {
    name: "persistence-retry",
    shape: "postgres-lease",
    leases: true,
    schedules: true,
    deadLetterCap: null,
    keepsLettersAfterRequeue: true,
    jobs: game && jobReader(game),
    list: null,
    workers: game && workerReader(game),
    impacts: game && impactReader(game),
    letters: game && letterReader(game),
    minutes: game && minuteReader(game),
    archive: game && archiveReader(game, hashToken),
    door: game && requeueDoor({ pool: game, redis, rpc, sessionActiveKey }),
    readDepths: () => (game ? readDepths(game) : Promise.resolve(nothing)),
    readGaps: async () => (game ? gapsOf(await readFeatures(game)) : [nothing.sentence]),
  };
}
