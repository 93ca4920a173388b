import { z } from "zod";
import { DEMO_ROUTES, DemoFaultRequest, DemoRequest } from "@/lib/internal-rpc/demo-wire";
import {
  INFO_ROUTE,
  INSPECT_LIMIT_DEFAULT,
  INSPECT_LIMIT_MAX,
  PERSISTENCE_ROUTES,
  PreflightRequest,
  RequeueBatchRequest,
  RequeueRequest,
  RPC_VERSION,
} from "@/lib/internal-rpc/wire";
import type { Caller, DemoHandlers, EngineHandlers } from "./handlers";
import { clockSkew, refuse } from "./refusal";
import { type Answer, get, post, type Route } from "./route";

const answer = (body: unknown): Answer => ({ kind: "answer", body });

/** The table of routes. `seed`: those that every game server has; the others then answer 404. */
export function createRoutes(handlers: EngineHandlers, offered: "all" | "seed"): Route[] {
  if (offered === "seed") return seedRoutes(handlers);
  const routes = [...seedRoutes(handlers), ...ourRoutes(handlers), ...(handlers.demo ? demoRoutes(handlers.demo) : [])];
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
    post(`${PERSISTENCE_ROUTES}/requeue-batch`, RequeueBatchRequest, async ({ body, caller }) => {
      if (caller.idempotencyKey?.toLowerCase() !== body.operation_id)
        return refuse(400, "idempotency_key_mismatch", "Idempotency-Key must be the operation_id.");
      const outcome = await handlers.requeueBatch(body.operation_id, body.items, caller);
      switch (outcome.kind) {
        case "answered":
          return answer(operationAnswer(body.operation_id, outcome));
        case "operation_mismatch":
          return refuse(
            409,
            "operation_mismatch",
            `The letter ${outcome.deadLetterId} came with another expect before.`,
          );
        case "too_late":
          return clockSkew("expired", outcome.serverTime);
        default:
          return outcome satisfies never;
      }
    }),
    get(`${PERSISTENCE_ROUTES}/operations/:id`, async ({ id, caller }) => {
      const operationId = z.guid().toLowerCase().safeParse(id);
      if (!operationId.success) return refuse(400, "not_a_uuid", "The operation's id must be a UUID.");
      const reading = await handlers.readOperation(operationId.data, caller);
      switch (reading.kind) {
        case "found":
          return answer(operationAnswer(operationId.data, reading));
        case "not_found":
          return refuse(404, "operation_not_found", "There is no record of this operation.", {
            server_time: reading.serverTime,
          });
        default:
          return reading satisfies never;
      }
    }),
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

function operationAnswer(operationId: string, given: { server_time: string; answers: unknown[] }) {
  const { server_time, answers } = given;
  return { rpc_version: RPC_VERSION, operation_id: operationId, server_time, answers };
}

/** What is no number counts as not given; what is out of range as its nearest end. */
function clampLimit(given: string | null): number {
  const limit = given === null || given.trim() === "" ? Number.NaN : Math.trunc(Number(given));
  return Number.isNaN(limit) ? INSPECT_LIMIT_DEFAULT : Math.min(INSPECT_LIMIT_MAX, Math.max(1, limit));
}
