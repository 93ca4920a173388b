import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { redisConfigFile } from "@/scripts/services/redis-server";
import { readSecrets } from "@/scripts/services/secrets";
import { serversRoot } from "@/scripts/services/state-dir";
import type { Product } from "./product";

/** The embedded Redis of a product, as its admin: it may write what a game server would. Disconnect it before the product ends. */
export function productRedis({ stateDir }: Pick<Product, "stateDir">): Redis {
  const conf = join(serversRoot(stateDir), "conf");
  const port = /^port (\d+)$/m.exec(readFileSync(redisConfigFile({ conf }), "utf8"))?.[1];
  return new Redis(`redis://admin:${readSecrets(stateDir).redis.admin}@127.0.0.1:${port}/0`);
}
