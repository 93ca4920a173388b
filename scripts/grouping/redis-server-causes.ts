import { Redis } from "ioredis";
import type { OwnRedis } from "@/scripts/testing/own-redis";
import type { Cause, Values } from "./cause";

type Options = { url?: string; enableReadyCheck?: boolean; commandTimeout?: number; enableOfflineQueue?: boolean };

/** What a Redis refuses for its state, its users or its connections. `server` is put out of order, and back again. */
export function redisServerCauses(server: OwnRedis): Cause[] {
  const { admin } = server;
  const key = ({ id }: Values) => `session:${id}`;

  /** With a connection of its own: what happens to it is nobody else's. */
  const lone = (
    name: string,
    work: (redis: Redis, values: Values) => unknown,
    { url = server.url("admin"), ...options }: Options = {},
  ): Cause => ({
    name,
    async fail(values) {
      const redis = new Redis(url, { lazyConnect: true, retryStrategy: null, ...options });
      let lost: unknown = null;
      redis.on("error", (error) => {
        lost ??= error;
      });
      try {
        await work(redis, values);
        if (lost !== null) throw lost;
      } finally {
        redis.disconnect();
      }
    },
  });
  const configured = (name: string, setting: string, wrong: string, right: string): Cause => ({
    name,
    async fail(values) {
      await admin.config("SET", setting, wrong);
      try {
        await admin.set(key(values), values.name);
      } finally {
        await admin.config("SET", setting, right);
      }
    },
  });
  const asConsole = { url: server.url("console"), enableReadyCheck: false };
  const asNobody = { url: server.url("admin").replace(/admin:.*@/, ""), enableReadyCheck: false };
  const connected = async (redis: Redis, command: [string, ...string[]]) => {
    await redis.connect();
    await redis.call(...command);
  };

  return [
    configured("memory is full", "maxmemory", "1", "0"),
    configured("too few replicas", "min-replicas-to-write", "1", "0"),
    {
      name: "write on a replica",
      async fail(values) {
        await admin.replicaof("127.0.0.1", 2);
        try {
          await admin.set(key(values), values.name);
        } finally {
          await admin.replicaof("NO", "ONE");
        }
      },
    },
    {
      name: "read on a replica that lost its master",
      async fail(values) {
        await admin.config("SET", "replica-serve-stale-data", "no");
        await admin.replicaof("127.0.0.1", 2);
        try {
          await admin.get(key(values));
        } finally {
          await admin.replicaof("NO", "ONE");
          await admin.config("SET", "replica-serve-stale-data", "yes");
        }
      },
    },
    {
      name: "append-only file cannot be written",
      async fail(values) {
        try {
          for (let times = 0; times < 60; times += 1) await admin.set(key(values), "x".repeat(10_000 + values.n));
        } finally {
          await admin.bgrewriteaof();
          while (!(await admin.info("persistence")).includes("aof_rewrite_in_progress:0")) await admin.ping();
        }
      },
    },
    lone("script runs too long", async (redis, values) => {
      await admin.config("SET", "busy-reply-threshold", "1");
      await redis.connect();
      const running = redis.eval("while true do end", 0).catch(() => {});
      try {
        for (;;) await admin.get(key(values));
      } finally {
        await admin.script("KILL");
        await running;
      }
    }),
    lone("nobody is logged in", (redis, v) => connected(redis, ["get", key(v)]), asNobody),
    lone("password is not the user's", (redis, v) => redis.connect().then(() => redis.auth("engine", v.word))),
    lone("user may not set", (redis, v) => connected(redis, ["set", key(v), v.name]), asConsole),
    lone("user may not lpush", (redis, v) => connected(redis, ["lpush", key(v), v.name]), asConsole),
    lone("user may not read this key", (redis, v) => connected(redis, ["get", `secret:${v.id}`]), asConsole),
    lone("multi in a multi", async (redis) => {
      await redis.connect();
      await redis.call("multi");
      await redis.call("multi");
    }),
    lone("watch in a multi", async (redis, v) => {
      await redis.connect();
      await redis.call("multi");
      await redis.call("watch", key(v));
    }),
    lone("transaction with a refused command", async (redis, v) => {
      await redis.connect();
      await redis.call("multi");
      await redis.call("lpush", key(v)).catch(() => {});
      await redis.call("exec");
    }),
    lone("command takes too long", (redis, v) => redis.connect().then(() => redis.blpop(`events:${v.id}`, 5)), {
      commandTimeout: 10,
    }),
    lone("connection was closed on this side", async (redis, v) => {
      await redis.connect();
      redis.disconnect();
      await redis.get(key(v));
    }),
    lone("nothing is kept while not connected", (redis, v) => redis.get(key(v)), { enableOfflineQueue: false }),
    {
      name: "Redis answers on no try",
      async fail({ n, id }) {
        const redis = new Redis({ port: 3 + n, host: "127.0.0.1", maxRetriesPerRequest: 1, retryStrategy: () => 1 });
        redis.on("error", () => {});
        try {
          await redis.get(id);
        } finally {
          redis.disconnect();
        }
      },
    },
  ];
}
