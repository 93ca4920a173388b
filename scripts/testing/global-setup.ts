import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startServices } from "@/scripts/services";
import { makeTemplates } from "./templates";

declare module "vitest" {
  interface ProvidedContext {
    stores: {
      /** One URL a role, to a database that is to be replaced. */
      postgres: Record<"postgres" | "backstop_migrate" | "backstop_own" | "backstop_read" | "engine", string>;
      redis: Record<"console" | "engine" | "admin", string>;
      backstopSecret: string;
      rpcKeys: string;
    };
  }
}

/**
 * One Postgres and one Redis for the whole run of the store tests, in a state folder of their own, ended and removed
 * with it. The programs are kept between runs, so that Redis is downloaded once.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stateDir = join(tmpdir(), `backstop-test-${randomBytes(6).toString("hex")}`);
  const binDir = join(project.config.root, "node_modules/.cache/backstop-bin");
  const services = await startServices({ stateDir, binDir, fast: true, endWithStarter: true });
  const { postgres, redis, secrets } = services;
  await makeTemplates(postgres);
  const roles = ["postgres", "backstop_migrate", "backstop_own", "backstop_read", "engine"] as const;
  const users = ["console", "engine", "admin"] as const;
  project.provide("stores", {
    postgres: Object.fromEntries(roles.map((role) => [role, postgres.url(role)])) as Record<
      (typeof roles)[number],
      string
    >,
    redis: Object.fromEntries(users.map((user) => [user, redis.url(user)])) as Record<(typeof users)[number], string>,
    ...secrets,
  });
  return async () => {
    await services.stop();
    rmSync(stateDir, { recursive: true, force: true });
  };
}
