import { confirmRequeue } from "@/lib/console/requeue/confirm";
import type { RequeueableQueue } from "@/lib/console/requeue/plan";
import { createPool } from "@/lib/db/pg";
import { rpcClientOf } from "@/lib/internal-rpc/configured";
import { findQueue } from "@/lib/queues";
import { FORGETFUL } from "./desk";

/**
 * One operator's click in a process of its own, for tests that kill it in the middle. Takes its input as JSON in the
 * first argument and prints how the click ended.
 */
type Input = {
  ownUrl: string;
  gameUrl: string;
  engineUrl: string;
  audience: string;
  rpcKeys: string;
  operationId: string;
  userId: string;
};

const input = JSON.parse(process.argv[2] ?? "") as Input;
const bounds = { application: "press", max: 2, statementTimeoutMs: 5_000 };
const own = createPool({ ...bounds, url: input.ownUrl });
const game = createPool({ ...bounds, url: input.gameUrl });
const rpc = rpcClientOf({ engineUrl: input.engineUrl, rpcAudience: input.audience, rpcKeys: input.rpcKeys });
const queue = findQueue("persistence-retry", { game, redis: null, rpc }) as RequeueableQueue;
const ended = await confirmRequeue(
  own,
  queue,
  { operationId: input.operationId, acknowledged: [FORGETFUL], reason: "a store for tests" },
  {
    userId: input.userId,
    actor: { id: input.userId, name: "Maya", role: "operator" },
    address: "127.0.0.1",
    requestId: "press",
  },
);
console.log(JSON.stringify(ended));
await Promise.all([own.end(), game.end()]);
