import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServices } from "@/scripts/services";
import { makeTemplates } from "./templates";

const ROLES = ["postgres", "backstop_migrate", "backstop_own", "backstop_read", "engine"] as const;
const USERS = ["console", "engine", "admin"] as const;

/** What the store tests are given. */
export type GivenToTests = {
  /** One URL a role, to a database that is to be replaced. */
  postgres: Record<(typeof ROLES)[number], string>;
  redis: Record<(typeof USERS)[number], string>;
  backstopSecret: string;
  rpcKeys: string;
};

/**
 * One Postgres and one Redis for store tests, in a state folder of their own, with both template databases; ended and
 * removed by `close`. The programs are kept between runs, so that Redis is downloaded once.
 */
export async function openTestServers(root: string): Promise<{ given: GivenToTests; close(): Promise<void> }> {
  const stateDir = join(tmpdir(), `backstop-test-${randomBytes(6).toString("hex")}`);
  const binDir = join(root, "node_modules/.cache/backstop-bin");
  // The services' own handles keep no process alive: without this one would end, with code 13, while it waits for them.
  const alive = setInterval(() => {}, 60_000);
  const services = await startServices({ stateDir, binDir, fast: true, endWithStarter: true });
  const { postgres, redis, secrets } = services;
  await makeTemplates(postgres);
  return {
    given: {
      postgres: urls(ROLES, (role) => postgres.url(role)),
      redis: urls(USERS, (user) => redis.url(user)),
      backstopSecret: secrets.backstopSecret,
      rpcKeys: secrets.rpcKeys,
    },
    async close() {
      await services.stop();
      rmSync(stateDir, { recursive: true, force: true });
      clearInterval(alive);
    },
  };
}

const urls = <K extends string>(names: readonly K[], url: (name: K) => string) =>
  Object.fromEntries(names.map((name) => [name, url(name)])) as Record<K, string>;
