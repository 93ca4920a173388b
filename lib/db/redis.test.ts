import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { pickPort } from "@/scripts/services/ports";
import { createReadRedis } from "./redis";

afterEach(() => void vi.restoreAllMocks());

test("a server that is away fails at once, and is told of once", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const redis = createReadRedis(`redis://127.0.0.1:${await pickPort()}`, "test");
  await expect(redis.ping()).rejects.toThrow();
  await sleep(1_200);
  await expect(redis.ping()).rejects.toThrow();
  redis.disconnect();
  expect(logged.mock.calls.filter(([line]) => String(line).includes("redis_error"))).toHaveLength(1);
});
