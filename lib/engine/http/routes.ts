import { DEMO_ROUTES, DemoFaultRequest, DemoRequest } from "@/lib/internal-rpc/demo-wire";
import {
  INFO_ROUTE,
  PERSISTENCE_ROUTES,
  PreflightRequest,
  RequeueBatchRequest,
  RequeueRequest,
  RPC_VERSION,
} from "@/lib/internal-rpc/wire";
import { answer, batchAnswer, clampLimit, operationReading } from "./answers";
import type { Caller, DemoHandlers, EngineHandlers } from "./handlers";
import { journalRoutes } from "./journal-routes";
import { clockSkew, refuse } from "./refusal";
import { get, post, type Route } from "./route";

/** The table of routes. `seed`: those that every game server has; the others then answer 404. */
export function createRoutes(handlers: EngineHandlers, offered: "all" | "seed"): Route[] {
  const { journal, demo } = handlers;
  const ofJournal = journal ? journalRoutes(journal, journal.nonces, offered) : [];
  if (offered === "seed") return [...seedRoutes(handlers), ...ofJournal];
  const routes = [...seedRoutes(handlers), ...ourRoutes(handlers), ...ofJournal, ...(demo ? demoRoutes(demo) : [])];
  const info = get(INFO_ROUTE, async () =>
    answer({
      rpc_version: RPC_VERSION,
      ...(await handlers.info()),
      routes: [info, ...routes].map((route) => `${route.method} ${route.path}`),
    }),
  );
  return [info, ...routes];
}

function seedRoutes(handlers: EngineHandlers): Route[] {
  return [
    get(PERSISTENCE_ROUTES, async ({ query }) =>
      answer(await handlers.inspectDeadLetters(clampLimit(query.get("limit")))),
    ),
    post(`${PERSISTENCE_ROUTES}/requeue`, RequeueRequest, async ({ body, caller }) => {
      const outcome = await handlers.requeueOne(body.dead_letter_id, caller);
      switch (outcome.kind) {
        case "requeued":
          return answer({ requeued: true, retry_job_id: outcome.retryJobId });
        case "not_requeued":
          return answer({ requeued: false, retry_job_id: outcome.retryJobId });
        case "undecodable":
          return refuse(422, "undecodable", `The saved payload does not decode: ${outcome.error}`);
        case "too_late":
          return clockSkew("expired", outcome.serverTime);
        default:
          return outcome satisfies never;
      }
    }),
  ];
}

function ourRoutes(handlers: EngineHandlers): Route[] {
  return [
    post(`${PERSISTENCE_ROUTES}/preflight`, PreflightRequest, async ({ body, caller }) =>
      answer({ rpc_version: RPC_VERSION, ...(await handlers.readFacts(body.dead_letter_ids, caller)) }),
    ),
    post(`${PERSISTENCE_ROUTES}/requeue-batch`, RequeueBatchRequest, ({ body, caller }) =>
      batchAnswer(body.operation_id, caller, () => handlers.requeueBatch(body.operation_id, body.items, caller)),
    ),
    get(`${PERSISTENCE_ROUTES}/operations/:id`, ({ id, caller }) =>
      operationReading(id, (operationId) => handlers.readOperation(operationId, caller)),
    ),
  ];
}

function demoRoutes(demo: DemoHandlers): Route[] {
  const change = (verb: string, act: (caller: Caller) => Promise<unknown>) =>
    post(`${DEMO_ROUTES}/${verb}`, DemoRequest, async ({ caller }) => {
      await act(caller);
      return answer(await demo.readState());
    });
  const fault = (verb: string, act: DemoHandlers["beginFault"]) =>
    post(`${DEMO_ROUTES}/${verb}`, DemoFaultRequest, async ({ body, caller }) => {
      await act(body.fault, caller);
      return answer(await demo.readState());
    });
  return [
    get(`${DEMO_ROUTES}/state`, async () => answer(await demo.readState())),
    change("break", demo.breakCatalog),
    change("mend", demo.mendCatalog),
    change("viewer", demo.noteViewer),
    fault("fault", demo.beginFault),
    fault("fault-end", demo.endFault),
  ];
}
