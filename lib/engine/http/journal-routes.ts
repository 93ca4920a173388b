import {
  JOURNAL_ROUTES,
  JournalPreflightRequest,
  JournalRequeueBatchRequest,
  JournalRequeueRequest,
} from "@/lib/internal-rpc/journal-wire";
import type { NonceStore } from "@/lib/internal-rpc/nonces";
import { RPC_VERSION } from "@/lib/internal-rpc/wire";
import { answer, batchAnswer, clampLimit, operationReading } from "./answers";
import type { JournalHandlers } from "./journal-handlers";
import { clockSkew, refuse } from "./refusal";
import { get, post, type Route } from "./route";

/** The journal's routes. Their nonces are used up in Redis, as what they change is there. */
export function journalRoutes(handlers: JournalHandlers, nonces: NonceStore, offered: "all" | "seed"): Route[] {
  const routes = offered === "seed" ? seedRoutes(handlers) : [...seedRoutes(handlers), ...ourRoutes(handlers)];
  return routes.map((route) => ({ ...route, nonces }));
}

function seedRoutes(handlers: JournalHandlers): Route[] {
  return [
    get(JOURNAL_ROUTES, async ({ query }) => answer(await handlers.inspect(clampLimit(query.get("limit"))))),
    post(`${JOURNAL_ROUTES}/requeue`, JournalRequeueRequest, async ({ body, caller }) => {
      const outcome = await handlers.requeueOne(body.dead_letter_id, caller);
      switch (outcome.kind) {
        case "requeued":
          return answer({ requeued: true, entry_id: outcome.entryId });
        case "not_requeued":
          return answer({ requeued: false, entry_id: outcome.entryId });
        case "undecodable":
          return refuse(422, "undecodable", `The item does not decode: ${outcome.error}`);
        case "too_late":
          return clockSkew("expired", outcome.serverTime);
        default:
          return outcome satisfies never;
      }
    }),
  ];
}

function ourRoutes(handlers: JournalHandlers): Route[] {
  return [
    post(`${JOURNAL_ROUTES}/preflight`, JournalPreflightRequest, async ({ body, caller }) =>
      answer({ rpc_version: RPC_VERSION, ...(await handlers.readFacts(body.dead_letter_ids, caller)) }),
    ),
    post(`${JOURNAL_ROUTES}/requeue-batch`, JournalRequeueBatchRequest, ({ body, caller }) =>
      batchAnswer(body.operation_id, caller, () => handlers.requeueBatch(body.operation_id, body.items, caller)),
    ),
    get(`${JOURNAL_ROUTES}/operations/:id`, ({ id, caller }) =>
      operationReading(id, (operationId) => handlers.readOperation(operationId, caller)),
    ),
  ];
}
