import type pg from "pg";
import { migrate } from "@/lib/db/migrate";
import { migrateRpc } from "@/lib/engine/http/migrate";
import { migrateEngine } from "@/lib/engine/migrate";
import { newBook } from "@/lib/engine/testing/conservation";
import { createRpcClient } from "@/lib/internal-rpc/client";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import type { Chaos } from "@/scripts/chaos/chaos";
import { AUDIENCE, openFleet } from "@/scripts/chaos/fleet";
import { startOperator } from "@/scripts/chaos/operator";
import { startProducer } from "@/scripts/chaos/producer";
import { makeWorld } from "@/scripts/chaos/world";
import { prepareDatabase } from "@/scripts/services";
import { pickPort } from "@/scripts/services/ports";
import { bundleKeeper } from "@/scripts/testing/bundle-program";
import { openDesk } from "@/scripts/testing/desk";
import { type Bursts, openBursts } from "./bursts";
import { startDeskWork } from "./desk-work";
import { openTroop, type Troop } from "./troop";

const DATABASE = "keepers";

export type Stage = {
  /** As the others', on the stage's own database. */
  chaos: Chaos;
  /** May see and change the game's tables and the desk's. */
  admin: pg.Pool;
  troop: Troop;
  bursts: Bursts;
  /** Nothing dies, is requeued or decided any more; the engine works on. */
  calm(): Promise<void>;
  end(): Promise<void>;
};

/** A whole installation in a database of its own: an engine under load, people at a desk, and keepers to be killed. */
export async function openStage(outer: Chaos): Promise<Stage> {
  const { postgres } = outer;
  const url = (role: Parameters<typeof postgres.url>[0]) => postgres.url(role, { database: DATABASE });
  await prepareDatabase(postgres.url("postgres", { database: "postgres" }), DATABASE);
  await migrateRpc({ url: url("engine") });
  await migrateEngine(url("engine"), false);
  await migrate({ migrateUrl: url("backstop_migrate"), ownUrl: url("backstop_own") });
  const pool = postgres.pool("engine", 8, DATABASE);
  const admin = postgres.pool("postgres", 6, DATABASE);
  const chaos: Chaos = { ...outer, pool, book: newBook(), world: await makeWorld(pool) };
  const bundle = await bundleKeeper();

  const port = await pickPort();
  const engineUrl = `http://127.0.0.1:${port}`;
  const keys = parseRpcKeys(postgres.rpcKeys);
  const fleet = openFleet(chaos, DATABASE);
  await fleet.start({ BACKSTOP_ENGINE_PORT: String(port) }).ready;
  const desk = openDesk(
    { pool: (role, max) => postgres.pool(role, max, DATABASE) },
    { url: engineUrl, client: (at = engineUrl) => createRpcClient({ engineUrl: at, audience: AUDIENCE, keys }) },
  );
  const operator = await desk.operator("Maya");
  const troop = openTroop(
    { postgresUrl: url, backstopSecret: postgres.backstopSecret },
    {
      admin,
      tally: chaos.tally,
      program: bundle.program,
      env: { BACKSTOP_ENGINE_URL: engineUrl, BACKSTOP_RPC_AUDIENCE: AUDIENCE, BACKSTOP_RPC_KEYS: postgres.rpcKeys },
    },
  );
  const load = [startProducer(chaos), startOperator(chaos, fleet), startDeskWork(chaos, desk, operator)];
  const calm = async () => {
    await Promise.all(load.map((each) => each.stop()));
  };
  return {
    chaos,
    admin,
    troop,
    bursts: openBursts(chaos, admin),
    calm,
    async end() {
      await calm();
      await troop.end();
      await fleet.end();
      bundle.remove();
    },
  };
}
