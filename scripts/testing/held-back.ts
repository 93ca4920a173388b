import type { Redis } from "ioredis";
import { until } from "./until";

/**
 * Holds every write of a Redis back until so many connections of that name wait with one, then lets all go: what each has
 * read before is then out of date. Answers what became of each.
 * @param admin a connection that may pause others
 */
export async function heldBack<T>(
  { admin, name }: { admin: Redis; name: string },
  presses: (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  await admin.client("PAUSE", 10_000, "WRITE");
  try {
    const settled = Promise.allSettled(presses.map((press) => press()));
    await until(async () => {
      const clients = String(await admin.client("LIST")).split("\n");
      const waiting = clients.filter((line) => line.includes(` name=${name} `) && / flags=\w*b/.test(line));
      return waiting.length >= presses.length;
    });
    await admin.client("UNPAUSE");
    return await settled;
  } finally {
    await admin.client("UNPAUSE");
  }
}
