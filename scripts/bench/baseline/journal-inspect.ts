import type { Redis } from "ioredis";

/** The bare commands of what an inspection reads. */
export const bareInspect = (redis: Redis, key: string) => ({
  async depths() {
    const runtimes = await redis.hgetall(`${key}:runtimes`);
    const held = Object.keys(runtimes).map((runtime) => `${key}:processing:${runtime}`);
    const lists = [`${key}:pending`, `${key}:retrying`, `${key}:processing`, `${key}:dead_letter`, ...held];
    await Promise.all([redis.time(), ...lists.map((list) => redis.llen(list))]);
  },
  firstLetters: (many: number) => redis.lrangeBuffer(`${key}:dead_letter`, 0, many - 1),
  firstWaiting: (many: number) => redis.lrangeBuffer(`${key}:pending`, -many, -1),
  waiting: (skip: number, many: number) => redis.lrangeBuffer(`${key}:pending`, -skip - many, -skip - 1),
});
