import { Redis } from "ioredis";
import pg from "pg";
import { createReadRedis } from "@/lib/db/redis";
import type { Finding, Preflight } from "@/lib/domain/preflight";
import { type PreflightSources, preflight } from "@/lib/queues/persistence-retry/preflight";
import { type Services, startServices } from "@/scripts/services";
import { scratchState } from "@/scripts/services/scratch";
import { startEngine, type TestEngine } from "./engine";

export const SESSION_KEY = "session:active:<token>";

export type FindingDesk = {
  services: Services;
  stateDir: string;
  binDir: string;
  /** As the game server's role, as the desk's reading role, and as Redis's admin. */
  game: pg.Pool;
  reader: pg.Pool;
  redis: Redis;
  engine: TestEngine;
  sources: PreflightSources;
  /** Another engine on the same stores, ended with the desk. */
  engineWith(env: Record<string, string>): Promise<TestEngine>;
  look(letterId: string, over?: Partial<PreflightSources>): Promise<Preflight>;
  /** By code. */
  find(letterId: string, over?: Partial<PreflightSources>): Promise<Record<string, Finding>>;
  end(): Promise<void>;
};

/**
 * A desk before stores of its own that keep what they are told (those that tests share do not: nothing there is safe to
 * write to), and a real engine whose worker polls once and then sleeps.
 */
export async function openFindingDesk(env: Record<string, string> = {}): Promise<FindingDesk> {
  const scratch = scratchState();
  const services = await startServices({ ...scratch, endWithStarter: true });
  const { postgres, redis: redisUrls, secrets } = services;
  const stores = { postgresUrl: () => postgres.url("engine"), redisUrl: () => redisUrls.url("engine"), ...secrets };
  const engines: TestEngine[] = [];
  const engineWith = async (more: Record<string, string>) => {
    const quiet = { PERSISTENCE_RETRY_POLL_MILLIS: "600000", BACKSTOP_KEY_SESSION_ACTIVE: SESSION_KEY };
    const engine = await startEngine(stores, { ...quiet, ...env, ...more });
    engines.push(engine);
    return engine;
  };
  const engine = await engineWith({});
  const pool = (role: "engine" | "backstop_read") => {
    const made = new pg.Pool({ connectionString: postgres.url(role), max: 4 });
    made.on("error", () => {});
    return made;
  };
  const [game, reader] = [pool("engine"), pool("backstop_read")];
  const redis = new Redis(redisUrls.url("admin"));
  const reading = createReadRedis(redisUrls.url("console"), "test-desk");
  // Half a second is for an answer, not for the first connection of a busy machine.
  await reading.ping();
  const sources = { pool: reader, rpc: engine.client(), redis: reading, sessionActiveKey: SESSION_KEY };
  const look = async (letterId: string, over: Partial<PreflightSources> = {}) => {
    const [found] = await preflight({ ...sources, ...over }, [letterId], "user-1");
    if (found === undefined) throw new Error("no preflight");
    return found;
  };
  return {
    services,
    ...scratch,
    game,
    reader,
    redis,
    engine,
    sources,
    engineWith,
    look,
    find: async (letterId, over) =>
      Object.fromEntries((await look(letterId, over)).findings.map((finding) => [finding.code, finding])),
    async end() {
      redis.disconnect();
      reading.disconnect();
      await Promise.all([game.end(), reader.end(), ...engines.map((one) => one.end())]);
      await services.stop();
      await scratch.remove();
    },
  };
}
