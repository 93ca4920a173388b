import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, expect, test, vi } from "vitest";
import { serverAccount, spawnAs } from "./account";
import { ensureFolder, writeWhole } from "./files";
import { startServices } from "./index";
import { isAlive } from "./processes";
import { resetState } from "./reset-state";
import { holdServices, killHard, scratchState, serversIn, until } from "./scratch";
import { readSecrets } from "./secrets";

// A first start is a second of work for a quiet processor, and the machine of a test run is not quiet.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const scratch = scratchState();
afterAll(scratch.remove);

const start = (more = {}) => startServices({ ...scratch, fast: true, ...more });

test("the servers of a killed starter are used again, watched, and ended with the next one", async () => {
  const holder = holdServices(scratch.stateDir, scratch.binDir);
  const left = await holder.up;
  await killHard(holder.child);
  expect(isAlive(left.postgres) && isAlive(left.redis)).toBe(true);
  const port = /^port (\d+)$/m.exec(readFileSync(join(scratch.stateDir, "conf/redis.conf"), "utf8"))?.[1];
  const admin = new Redis(`redis://admin:${readSecrets(scratch.stateDir).redis.admin}@127.0.0.1:${port}/0`);
  await admin.config("SET", "maxmemory", "1");

  const lines: string[] = [];
  const services = await start({ supervise: true, log: (line: string) => lines.push(line) });
  try {
    expect({ postgres: services.postgres.pid(), redis: services.redis.pid() }).toEqual({
      postgres: left.postgres,
      redis: left.redis,
    });
    // As a demo leaves it that was killed while its Redis refused writes.
    expect(await admin.config("GET", "maxmemory")).toEqual(["maxmemory", "0"]);
    admin.disconnect();
    // Adopted, so not our children: their ends must be noticed all the same. Then as children.
    for (let round = 0; round < 2; round++) {
      const pids = [services.postgres.pid(), services.redis.pid()];
      for (const pid of pids) process.kill(pid, "SIGKILL");
      await until("both started again", () => lines.length === 2 * (round + 1));
      expect(services.postgres.pid()).not.toBe(pids[0]);
      expect(services.redis.pid()).not.toBe(pids[1]);
    }
    expect(services.postgres.port).toBe(left.postgresPort);
    expect(lines.slice(0, 2).sort()).toEqual(["postgres ended, started again", "redis ended, started again"]);
    expect(lines.slice(2).sort()).toEqual([
      "postgres ended (signal SIGKILL), started again",
      "redis ended (signal SIGKILL), started again",
    ]);
  } finally {
    await services.stop();
  }
  expect(serversIn(scratch.stateDir)).toEqual([]);
});

test("a starter that is killed at any step of its first start leaves nothing that the next one stumbles over", async () => {
  const empty = scratchState();
  const data = join(empty.stateDir, "data");
  const entries = () => (existsSync(data) ? readdirSync(data) : []);
  const steps: [string, () => boolean][] = [
    ["initdb has begun", () => entries().some((name) => name.startsWith("draft-postgres"))],
    ["initdb is done", () => existsSync(join(data, "postgres/PG_VERSION"))],
    ["Postgres has a pid", () => existsSync(join(data, "postgres/postmaster.pid"))],
    ["Redis has a configuration", () => existsSync(join(empty.stateDir, "conf/redis.conf"))],
  ];
  for (const [step, reached] of steps) {
    const holder = holdServices(empty.stateDir, empty.binDir);
    await until(step, reached);
    await killHard(holder.child);
  }
  const services = await startServices({ ...empty, fast: true });
  expect(serversIn(empty.stateDir).sort()).toEqual([services.postgres.pid(), services.redis.pid()].sort());
  expect(entries().sort()).toEqual(["postgres", "redis"]);
  await services.stop();
  await empty.remove();
});

test("a stranger with the recorded process id, on the recorded port, is neither used nor told a password nor ended", async () => {
  await (await start()).stop();
  const [pgStranger, redisStranger] = [await listenAnywhere(), await listenAnywhere()];
  const account = serverAccount();
  const sleeper = spawn("sleep", ["60"], { ...spawnAs(account), stdio: "ignore" });
  const data = join(scratch.stateDir, "data");
  const pidFile = [sleeper.pid, join(data, "postgres"), 1, pgStranger.port, "", "127.0.0.1", "0 0", "ready   ", ""];
  writeWhole(join(data, "postgres/postmaster.pid"), pidFile.join("\n"), 0o600, account);
  const config = join(scratch.stateDir, "conf/redis.conf");
  const text = readFileSync(config, "utf8");
  writeFileSync(config, text.replace(/^port .*$/m, `port ${redisStranger.port}`));

  const services = await start();
  try {
    expect([pgStranger.port, redisStranger.port]).not.toContain(services.postgres.port);
    expect(services.postgres.pid()).not.toBe(sleeper.pid);
    expect(pgStranger.callers() + redisStranger.callers()).toBe(0);
    expect(isAlive(sleeper.pid ?? 0)).toBe(true);
  } finally {
    await services.stop();
    await killHard(sleeper);
    pgStranger.server.close();
    redisStranger.server.close();
  }
});

test("with endWithStarter, a killed starter leaves no server behind", async () => {
  const holder = holdServices(scratch.stateDir, scratch.binDir, { endWithStarter: true });
  await holder.up;
  await killHard(holder.child);
  await until("both gone", () => serversIn(scratch.stateDir).length === 0);
});

test.runIf(process.getuid?.() === 0)(
  "as root below a 0700 folder, the servers' files are elsewhere, and go with it",
  async () => {
    const closed = scratchState();
    ensureFolder(closed.stateDir, 0o700);
    const inside = scratchState(closed.stateDir);
    const services = await startServices({ ...inside, fast: true });
    const { folder } = JSON.parse(readFileSync(join(inside.stateDir, "servers.json"), "utf8")) as { folder: string };
    expect(existsSync(join(folder, "data/postgres/PG_VERSION"))).toBe(true);
    expect(existsSync(join(inside.stateDir, "data"))).toBe(false);
    await services.stop();
    // A state folder that cannot be seen proves nothing: another start leaves its data alone.
    renameSync(closed.stateDir, `${closed.stateDir}-away`);
    await (await start()).stop();
    expect(existsSync(folder)).toBe(true);
    renameSync(`${closed.stateDir}-away`, closed.stateDir);
    // Data that are away are not taken for a first start.
    renameSync(folder, `${folder}-away`);
    await expect(startServices({ ...inside, fast: true })).rejects.toThrow(`${folder}, which is not there`);
    renameSync(`${folder}-away`, folder);
    await resetState(inside.stateDir);
    expect(existsSync(folder)).toBe(false);
    await closed.remove();
  },
);

async function listenAnywhere(): Promise<{ server: Server; port: number; callers(): number }> {
  let callers = 0;
  const server = createServer((socket) => {
    callers += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as { port: number }).port, callers: () => callers };
}
