import type { Redis } from "ioredis";
import { z } from "zod";

const Slow = z.array(z.tuple([z.number(), z.number(), z.number(), z.array(z.string())], z.unknown()));

/** From here on the server notes what took it 1 ms or more. */
export async function watchSlow(admin: Redis): Promise<void> {
  await admin.config("SET", "slowlog-log-slower-than", "1000");
  await admin.config("SET", "slowlog-max-len", "100000");
  await admin.slowlog("RESET");
}

/** The longest that a script has blocked the server since, in ms; below 1 it tells 1. And how many took that or more. */
export async function slowestScript(admin: Redis): Promise<{ ms: number; count: number }> {
  const slow = Slow.parse(await admin.slowlog("GET", 100_000));
  const scripts = slow.filter(([, , , [command = ""]]) => /^eval/i.test(command));
  return { ms: Math.max(1_000, ...scripts.map(([, , micros]) => micros)) / 1_000, count: scripts.length };
}
