import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lockStateDir } from "./lock";
import { stopPostgres } from "./postgres-server";
import { processesWith } from "./processes";
import { redisConfigFile, stopRedis } from "./redis-server";
import { pointedTo } from "./servers-folder";
import { existingData } from "./state-dir";

/** All that a state folder of ours may hold. Nothing else is touched: the folder may be somebody's by mistake. */
const OURS = ["secrets", "logs", "data", "bin", "servers.json"];

/**
 * Empties a state folder: ends servers that a killed starter left running, then removes data, keys, programs and logs.
 * @throws StateDirHeld while a starter holds it
 */
export async function resetState(stateDir: string): Promise<void> {
  if (!existsSync(stateDir)) return;
  const unlock = await lockStateDir(stateDir);
  try {
    const data = existingData(stateDir);
    const [dataDir, config] = [join(data, "postgres"), redisConfigFile({ data })];
    await Promise.all([
      ...processesWith(dataDir).map((pid) => stopPostgres(dataDir, pid)),
      ...processesWith(config).map((pid) => stopRedis(config, pid)),
    ]);
    const elsewhere = pointedTo(stateDir);
    const paths = [...(elsewhere ? [elsewhere] : []), ...OURS.map((name) => join(stateDir, name))];
    for (const path of paths) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  } finally {
    await unlock();
  }
}
