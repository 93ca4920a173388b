import type { Redis } from "ioredis";
import { answerWithin } from "@/lib/db/sessions";
import type { Finding } from "@/lib/domain/preflight";
import { proseDuration } from "@/lib/domain/time";
import { parseInfo, type RedisInfo, replicasOf } from "@/lib/queues/redis-info";

const CODE = "store_fit_redis";

/** Of INFO, shown with a danger. */
const SHOWN = ["role", "loading", "aof_enabled", "aof_last_write_status", "rdb_last_bgsave_status", "maxmemory_policy"];

/** A replica that is heard of every second is not behind. */
const LAG_MAX_S = 5;

type Words = { whatToDo: string; acknowledgement: string };

/** Where only sessions are read from it. */
const SESSIONS: Words = {
  whatToDo: "mend it before sessions are relied on. The write itself goes to Postgres.",
  acknowledgement: "Redis is not in order. I know what this session reading is worth.",
};

/** Whether Redis takes writes and keeps them, by what INFO tells a user without CONFIG. Never throws. */
export async function redisFit(redis: Redis): Promise<Finding> {
  const read = await readInfo(redis);
  return read.kind === "read" ? redisFinding(read.info, dangersOf(read.info), SESSIONS) : read.finding;
}

/** What INFO says; `unread`: it does not answer, or the desk may not ask. Never throws. */
export type InfoRead = { kind: "read"; info: RedisInfo } | { kind: "unread"; finding: Finding };

export async function readInfo(redis: Redis): Promise<InfoRead> {
  const info = await answerWithin(
    redis.info().catch((error: Error) => (error.message.startsWith("NOPERM") ? "not allowed" : Promise.reject(error))),
  );
  if (info === null) return { kind: "unread", finding: unread() };
  return info === "not allowed" ? { kind: "unread", finding: notAllowed() } : { kind: "read", info: parseInfo(info) };
}

export type Danger = { title: string; reason: string };

/** What stands against relying on a Redis, by what INFO says of it; the worst first. */
export function dangersOf(info: RedisInfo): Danger[] {
  return [...unwritable(info), ...lossy(info)];
}

/** The finding of some dangers; none: Redis is in order. */
export function redisFinding(info: RedisInfo, dangers: readonly Danger[], words: Words): Finding {
  const [worst] = dangers;
  if (worst === undefined) {
    return { code: CODE, severity: "ok", title: "Redis takes writes and keeps them", evidence: [] };
  }
  return {
    code: CODE,
    severity: "warn",
    title: dangers.length === 1 ? worst.title : `${worst.title}, and ${dangers.length - 1} more`,
    reason: dangers.map(({ title, reason }, at) => (at === 0 ? reason : `${title}: ${reason}`)).join(" "),
    evidence: SHOWN.map((name) => ({ label: name, value: info.get(name) ?? "not told" })),
    ...words,
  };
}

function unwritable(fields: RedisInfo): Danger[] {
  const dangers: Danger[] = [];
  if (fields.get("loading") === "1") {
    dangers.push({
      title: "Redis is loading its data",
      reason: "Until that is done it answers no reads and takes no writes.",
    });
  }
  if (fields.get("role") === "slave") {
    dangers.push({ title: "Redis is a replica", reason: "It may lag behind the server that sessions are written to." });
  }
  for (const [name, what] of [
    ["aof_last_write_status", "The last write of the append-only file failed"],
    ["rdb_last_bgsave_status", "The last snapshot failed"],
  ] as const) {
    const status = fields.get(name);
    if (status !== undefined && status !== "ok") {
      dangers.push({ title: what, reason: "Redis may refuse writes, or lose them at a restart." });
    }
  }
  const [used, limit] = [Number(fields.get("used_memory")), Number(fields.get("maxmemory"))];
  if (limit > 0 && used >= limit && fields.get("maxmemory_policy") === "noeviction") {
    dangers.push({ title: "Redis has no memory left", reason: "It refuses whatever would need more (OOM)." });
  }
  return dangers;
}

function lossy(fields: RedisInfo): Danger[] {
  const dangers: Danger[] = [];
  // Whether snapshots are scheduled is in CONFIG alone; that none was written since the start is what INFO tells.
  const snapshots = Number(fields.get("rdb_saves") ?? fields.get("rdb_last_bgsave_time_sec") ?? -1);
  const never = fields.has("rdb_saves") ? snapshots === 0 : snapshots < 0;
  if (fields.get("aof_enabled") === "0" && never) {
    const upMs = Number(fields.get("uptime_in_seconds") ?? 0) * 1_000;
    dangers.push({
      title: "Redis keeps nothing on disk",
      reason: `The append-only file is off, and no snapshot was written since it started ${proseDuration(upMs)} ago. A restart loses every session and entry.`,
    });
  }
  const policy = fields.get("maxmemory_policy");
  if (policy !== undefined && policy !== "noeviction") {
    dangers.push({
      title: `Redis may evict keys (${policy})`,
      reason: "Under memory pressure a session or an entry can vanish without a trace.",
    });
  }
  const late = replicasOf(fields).filter((replica) => replica.state !== "online" || (replica.lagS ?? 0) > LAG_MAX_S);
  if (late.length > 0) {
    dangers.push({
      title: `${late.length === 1 ? "A replica is" : `${late.length} replicas are`} behind`,
      reason: `After a failover ${late.length === 1 ? "it has" : "they have"} not what was written last: ${late.map(({ name, state, lagS }) => `${name} ${state}${lagS === null ? "" : `, ${lagS} s`}`).join("; ")}.`,
    });
  }
  return dangers;
}

function unread(): Finding {
  return {
    code: CODE,
    severity: "unknown",
    title: "Redis could not be checked",
    reason: "It did not answer within 500 ms.",
    evidence: [],
    whatToDo: "read again. What could not be read just now is gated like a warning.",
    acknowledgement: "Redis could not be checked.",
  };
}

function notAllowed(): Finding {
  return {
    code: CODE,
    severity: "not_configured",
    title: "Whether Redis is in order cannot be told",
    reason: "The desk's Redis user may not run INFO. Nothing to acknowledge.",
    evidence: [],
  };
}
