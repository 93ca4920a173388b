import { expect, test } from "vitest";
import { dangersOf } from "./redis-fit";
import { parseInfo, replicasOf } from "./redis-info";

const infoOf = (...lines: string[]) =>
  parseInfo(["# Replication", "role:master", "aof_enabled:1", "maxmemory_policy:noeviction", ...lines].join("\r\n"));

test("replicas are told with how far they are behind; one that is not in step, or not heard of, is a danger", () => {
  const info = infoOf(
    "master_repl_offset:1000",
    "slave0:ip=10.0.0.2,port=6379,state=online,offset=1000,lag=0",
    "slave1:ip=10.0.0.3,port=6379,state=online,offset=400,lag=12",
    "slave2:ip=10.0.0.4,port=6379,state=wait_bgsave,offset=0,lag=0",
  );
  expect(replicasOf(info)).toEqual([
    { name: "10.0.0.2:6379", state: "online", behindBytes: 0, lagS: 0 },
    { name: "10.0.0.3:6379", state: "online", behindBytes: 600, lagS: 12 },
    { name: "10.0.0.4:6379", state: "wait_bgsave", behindBytes: 1000, lagS: 0 },
  ]);
  const [danger] = dangersOf(info);
  expect(danger?.title).toBe("2 replicas are behind");
  expect(danger?.reason).toContain("10.0.0.3:6379 online, 12 s; 10.0.0.4:6379 wait_bgsave, 0 s");
  expect(dangersOf(infoOf("slave0:ip=10.0.0.2,port=6379,state=online,offset=1,lag=1"))).toEqual([]);
});

test("what INFO does not tell is no danger, and nothing that it tells breaks the reading", () => {
  expect(dangersOf(parseInfo(""))).toEqual([]);
  expect(replicasOf(parseInfo("slave0:\nslave1:nothing\nslave2"))).toMatchObject([
    { state: "not told" },
    { lagS: null },
  ]);
});
