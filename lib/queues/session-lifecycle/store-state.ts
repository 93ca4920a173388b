import type { Redis } from "ioredis";
import type { StoreState } from "@/lib/domain/list-state";
import type { Reading } from "@/lib/domain/queue";
import { dangersOf, readInfo } from "@/lib/queues/redis-fit";
import { type RedisInfo, replicasOf } from "@/lib/queues/redis-info";
import { keyDangers } from "./key-dangers";

/** What Redis says of itself. Never throws. */
export async function readStoreState(redis: Redis): Promise<Reading<StoreState>> {
  const [read, keys] = await Promise.all([readInfo(redis), keyDangers(redis)]);
  if (read.kind === "read") return { kind: "read", value: stateOf(read.info, [...dangersOf(read.info), ...keys]) };
  const { severity, title, reason = "" } = read.finding;
  const sentence = `${title}. ${reason}`.trim();
  if (severity === "not_configured") return { kind: "not_configured", sentence };
  return { kind: "failed", code: "no_answer", sentence };
}

function stateOf(info: RedisInfo, dangers: StoreState["dangers"]): StoreState {
  const number = (name: string) => (/^-?\d+$/.test(info.get(name) ?? "") ? Number(info.get(name)) : null);
  const saved = number("rdb_last_save_time");
  return {
    version: info.get("valkey_version") ?? info.get("redis_version") ?? null,
    role: info.get("role") ?? null,
    aof: aofOf(info),
    aofLastWrite: info.get("aof_last_write_status") ?? null,
    lastSaveMs: saved === null ? null : saved * 1_000,
    lastSaveStatus: info.get("rdb_last_bgsave_status") ?? null,
    memoryUsed: number("used_memory"),
    memoryMax: number("maxmemory") || null,
    memoryPolicy: info.get("maxmemory_policy") ?? null,
    evictedKeys: number("evicted_keys"),
    replicas: replicasOf(info),
    dangers,
  };
}

function aofOf(info: RedisInfo): StoreState["aof"] {
  if (info.get("loading") === "1") return "loading";
  const enabled = info.get("aof_enabled");
  return enabled === undefined ? "not told" : enabled === "1" ? "on" : "off";
}
