import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { hostname } from "node:os";
import { config } from "@/lib/config";
import { tokenHash } from "@/lib/console/archive/token-hash";
import { counterSourceOf } from "@/lib/console/samples/engine-counters";
import { createPool } from "@/lib/db/pg";
import { createReadRedis } from "@/lib/db/redis";
import { rpcClientOf } from "@/lib/internal-rpc/configured";
import { dutiesOf } from "./duties";
import { releaseDuties } from "./duty";
import { keep } from "./loop";
import { tellWideRights } from "./tell-rights";

const settings = config();
const bounds = { application: "backstop-keeper", max: 4, statementTimeoutMs: settings.statementTimeoutMs };
const own = createPool({ ...bounds, url: settings.ownUrl });
const game = settings.databaseUrl ? createPool({ ...bounds, url: settings.databaseUrl }) : null;
const redis = settings.redisUrl ? createReadRedis(settings.redisUrl, "backstop-keeper") : null;

const holder = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());

void tellWideRights({ own, game, redis }, stop.signal);

const hashToken = (token: string) => tokenHash(token, settings.secret);
const duties = dutiesOf(
  own,
  { game, redis, rpc: rpcClientOf(settings), hashToken },
  settings.demo,
  counterSourceOf(settings),
);
// One pause each waits for it: as many as there are duties are no leak, which Node would warn of.
setMaxListeners(duties.length, stop.signal);
await Promise.all(duties.map((duty) => keep(own, holder, duty, stop.signal)));
await releaseDuties(own, holder).catch(() => {});
redis?.disconnect();
await Promise.allSettled([own.end(), game?.end()]);
