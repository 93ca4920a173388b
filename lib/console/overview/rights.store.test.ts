import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createReadRedis } from "@/lib/db/redis";
import { tellWideRights } from "@/lib/keeper/tell-rights";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { readWideRights } from "./rights";

let stores: TestStores;
const redises: Redis[] = [];
beforeAll(async () => {
  stores = await openStores();
});
afterAll(async () => {
  for (const redis of redises) redis.disconnect();
  await stores.close();
});

function redisAs(user: Parameters<TestStores["redisUrl"]>[0]): Redis {
  const redis = createReadRedis(stores.redisUrl(user), "rights");
  redises.push(redis);
  return redis;
}

const narrow = () => ({
  own: stores.pool("backstop_own"),
  game: stores.pool("backstop_read"),
  redis: redisAs("console"),
});

test("the roles and the user that the desk brings along may do nothing that it does not need", async () => {
  expect(await readWideRights(narrow())).toEqual([]);
});

test("a superuser, a role that may write the game's tables and a Redis user who may write are each named with what they may do", async () => {
  const wide = await readWideRights({
    own: stores.pool("postgres"),
    game: stores.pool("engine"),
    redis: redisAs("engine"),
  });
  expect(wide.map(({ store, sentence, asked }) => [store, asked, sentence])).toEqual([
    [
      "game",
      true,
      expect.stringMatching(
        /^The role engine may write .* and \d+ more and create tables in public\. The desk only reads/,
      ),
    ],
    ["own", true, expect.stringMatching(/^The role postgres may do anything: it is a superuser\. /)],
    [
      "redis",
      true,
      expect.stringMatching(/^The Redis user may write lists, write keys, delete keys and run scripts\. /),
    ],
  ]);
});

test("what a Redis user may do is asked without doing it: a user with every right leaves every key as it was", async () => {
  const admin = new Redis(stores.redisUrl("admin"));
  redises.push(admin);
  await admin.lpush("{session_lifecycle}:journal:dead_letter", "letter");
  await admin.set("kept", "1");
  const all = async () => [
    await admin.dbsize(),
    await admin.get("kept"),
    await admin.lrange("{session_lifecycle}:journal:dead_letter", 0, -1),
    await admin.llen("{session_lifecycle}:journal:pending"),
  ];
  const before = await all();
  const [found] = await readWideRights({ ...narrow(), redis: redisAs("admin") });
  expect(found?.sentence).toContain("empty the database");
  expect(await all()).toEqual(before);
});

test("a start says it in one line of its log for each connection, and nothing where nothing is too wide", async () => {
  const say = async (connected: Parameters<typeof tellWideRights>[0]) => {
    const lines: string[] = [];
    await tellWideRights(connected, new AbortController().signal, (line) => lines.push(line));
    return lines.map((line) => JSON.parse(line));
  };
  expect(await say(narrow())).toEqual([]);
  expect(await say({ ...narrow(), game: stores.pool("engine") })).toEqual([
    {
      process: "keeper",
      event: "rights_too_wide",
      store: "game",
      sentence: expect.stringContaining("The role engine may write"),
    },
  ]);
});

test("a store that does not answer is not said to be in order", async () => {
  const away = createReadRedis("redis://127.0.0.1:1", "rights");
  redises.push(away);
  const [found] = await readWideRights({ ...narrow(), redis: away });
  expect(found).toMatchObject({ store: "redis", asked: false });
});
