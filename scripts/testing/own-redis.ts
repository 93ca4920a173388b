import { readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { runAs } from "@/scripts/services/account";
import { writeWhole } from "@/scripts/services/files";
import { startGuard } from "@/scripts/services/guard";
import { pickPort } from "@/scripts/services/ports";
import { waitGone } from "@/scripts/services/processes";
import { redisBinary } from "@/scripts/services/redis-binaries";
import { demoPassword, redisConfig } from "@/scripts/services/redis-config";
import { redisConfigFile, stopRedis } from "@/scripts/services/redis-server";
import { scratchState } from "@/scripts/services/scratch";
import { readSecrets } from "@/scripts/services/secrets";
import { spawnServer } from "@/scripts/services/server-process";
import { layOut, makeStateDir } from "@/scripts/services/state-dir";
import { until } from "./until";

export type OwnRedis = {
  url(user: "console" | "engine" | "admin" | "demo"): string;
  admin: Redis;
  /** Stops it and starts it on the same data and port; answers when it answers INFO: it may still be loading. */
  restart(more: string[]): Promise<void>;
  /** SIGKILL, and, should so be asked, so many bytes less at the end of its append-only file; then as `restart`. */
  crash(cutBytes?: number): Promise<void>;
  end(): Promise<void>;
};

/** What a machine that lost its power may not have written: the end of the newest file. */
function cutTail(folder: string, bytes: number): void {
  const newest = readdirSync(folder)
    .filter((name) => name.endsWith(".incr.aof"))
    .map((name) => ({ path: join(folder, name), number: Number(/\.(\d+)\.incr\.aof$/.exec(name)?.[1]) }))
    .sort((a, b) => a.number - b.number)
    .at(-1);
  if (newest === undefined) throw new Error(`no append-only file in ${folder}`);
  truncateSync(newest.path, Math.max(0, statSync(newest.path).size - bytes));
}

/** Its files may grow to so many blocks (of 512 bytes, or 1 KiB where sh is bash); a write beyond fails, as on a full disk. */
const FILE_MAX_BLOCKS = 128;

/**
 * A Redis of one test's own, for what must not be done to one that others read from: with lines of configuration of its
 * own, and, `smallFiles`, with files that cannot grow. The limit binds root as well, and needs no mount.
 */
export async function openOwnRedis(lines: string[] = [], smallFiles = false): Promise<OwnRedis> {
  const scratch = scratchState();
  const layout = layOut(makeStateDir(scratch.stateDir), scratch.binDir);
  const { account } = layout;
  const binary = await redisBinary(layout.bin, account, () => {});
  const { redis: passwords } = readSecrets(scratch.stateDir);
  const [dir, config, port] = [join(layout.data, "redis"), redisConfigFile(layout), await pickPort()];
  runAs(account, "mkdir", ["-m", "700", dir]);
  const guard = startGuard();
  // Unless it is ignored, the signal that comes with the failed write would end the server.
  const limited = `trap '' XFSZ; ulimit -f ${FILE_MAX_BLOCKS}; exec "$0" "$@"`;
  const [command, before] = smallFiles ? ["/bin/sh", ["-c", limited, binary.command]] : [binary.command, []];
  let pid = 0;
  const start = async (more: string[]) => {
    const text = `${redisConfig({ dir, port, passwords, fast: true })}${[...lines, ...more].join("\n")}\n`;
    writeWhole(config, text, 0o600, account);
    const logFile = join(layout.logs, "redis.log");
    ({ pid } = await spawnServer(command, [...before, config], { account, env: binary.env, logFile }));
    guard.watch(pid);
  };
  const url: OwnRedis["url"] = (user) =>
    `redis://${user}:${user === "demo" ? demoPassword(passwords) : passwords[user]}@127.0.0.1:${port}/0`;
  await start([]);
  // Without the ready check: it would hold commands back while the server loads.
  const admin = new Redis(url("admin"), { enableReadyCheck: false, retryStrategy: () => 50 });
  admin.on("error", () => {});
  const answers = () =>
    until(() =>
      admin.info("server").then(
        (info) => info.includes(`process_id:${pid}`),
        () => false,
      ),
    );
  await answers();
  return {
    url,
    admin,
    async restart(more) {
      await stopRedis(config, pid);
      await start(more);
      await answers();
    },
    async crash(cutBytes = 0) {
      process.kill(pid, "SIGKILL");
      await waitGone(pid, 10_000);
      if (cutBytes > 0) cutTail(join(dir, "appendonlydir"), cutBytes);
      await start([]);
      await answers();
    },
    async end() {
      admin.disconnect();
      await stopRedis(config, pid);
      await guard.release();
      await scratch.remove();
    },
  };
}
