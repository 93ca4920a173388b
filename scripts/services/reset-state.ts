import { existsSync } from "node:fs";
import { join } from "node:path";
import { serverAccount } from "./account";
import { removeTree } from "./files";
import { lockStateDir } from "./lock";
import { stopPostgres } from "./postgres-server";
import { processesWith } from "./processes";
import { redisConfigFile, stopRedis } from "./redis-server";
import { pointedTo } from "./servers-folder";
import { serversRoot } from "./state-dir";

/** All that a state folder of ours may hold. Nothing else is touched: the folder may be somebody's by mistake. */
const OURS = ["secrets", "logs", "data", "conf", "bin", "servers.json"];

/**
 * Empties a state folder: ends servers that a killed starter left running, then removes data, keys, programs and logs.
 * @throws StateDirHeld while a starter holds it
 */
export async function resetState(stateDir: string): Promise<void> {
  if (!existsSync(stateDir)) return;
  const unlock = await lockStateDir(stateDir);
  try {
    const servers = serversRoot(stateDir);
    const account = serverAccount(join(servers, "data"));
    const [dataDir, config] = [join(servers, "data/postgres"), redisConfigFile({ conf: join(servers, "conf") })];
    await Promise.all([
      ...processesWith(dataDir).map((pid) => stopPostgres(dataDir, pid)),
      ...processesWith(config).map((pid) => stopRedis(config, pid)),
    ]);
    const elsewhere = pointedTo(stateDir);
    const paths = [...(elsewhere ? [elsewhere] : []), ...OURS.map((name) => join(stateDir, name))];
    for (const path of paths) removeTree(path, account);
  } finally {
    await unlock();
  }
}
