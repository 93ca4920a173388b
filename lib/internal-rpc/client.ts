import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { FaultName } from "@/lib/domain/demo-fault";
import type { Call } from "./call";
import { DEMO_ROUTES, DemoState } from "./demo-wire";
import { exchange } from "./exchange";
import {
  JOURNAL_ROUTES,
  type JournalBatchItem,
  JournalLettersAnswer,
  JournalOperationAnswer,
  JournalPreflightAnswer,
  JournalRequeueAnswer,
} from "./journal-wire";
import { judge } from "./judge";
import type { RpcKeys } from "./keys";
import { lettersClient, NOBODY } from "./letters-client";
import { ANSWER_BYTES_MAX, CALL_TIMEOUT_MS, CONNECT_TIMEOUT_MS } from "./limits";
import type { RpcResult } from "./result";
import { notSentSentence, type Told } from "./sentences";
import { type Signed, signRequest } from "./sign";
import {
  type BatchItem,
  DeadLettersAnswer,
  INFO_ROUTE,
  InfoAnswer,
  OperationAnswer,
  PERSISTENCE_ROUTES,
  PreflightAnswer,
  RequeueAnswer,
  RPC_VERSION,
} from "./wire";

export type { NotSentCode, RpcResult, UnknownCode } from "./result";

export type RpcClientOptions = {
  engineUrl: string;
  /** BACKSTOP_RPC_AUDIENCE: the name that both sides sign for. */
  audience: string;
  /** From `parseRpcKeys`. */
  keys: RpcKeys;
  /** Milliseconds since 1970; what `created` is taken from. */
  clock?: () => number;
  bounds?: { connectTimeoutMs?: number; callTimeoutMs?: number; answerBytesMax?: number };
};

export type RpcClient = ReturnType<typeof createRpcClient>;

/**
 * The signed endpoints of the engine. Each call is one try, newly signed, on a connection of its own; it ends in a
 * `RpcResult` and never rejects.
 */
export function createRpcClient(options: RpcClientOptions) {
  const base = new URL(options.engineUrl);
  const prefix = base.pathname.replace(/\/+$/, "");
  const [key] = options.keys;
  const bounds = {
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    callTimeoutMs: CALL_TIMEOUT_MS,
    answerBytesMax: ANSWER_BYTES_MAX,
    ...options.bounds,
  };

  async function call<S extends z.ZodType>(input: Call<S>): Promise<RpcResult<z.output<S>>> {
    const { method, schema, actor, effect = false } = input;
    const signedMs = input.signedMs ?? (options.clock ?? Date.now)();
    const told: Told = { engine: base.host, effect, keyId: key.id, signedMs };
    const target = `${prefix}${input.route}`;
    const body = input.body && Buffer.from(JSON.stringify({ rpc_version: RPC_VERSION, ...input.body }));
    const post = body && { body, idempotencyKey: input.idempotencyKey ?? randomUUID() };
    let signed: Signed;
    try {
      signed = await signRequest({ method, target, audience: options.audience, key, actor, nowMs: signedMs, ...post });
    } catch {
      return { kind: "not_sent", code: "not_built", sentence: notSentSentence("not_built", told) };
    }
    const url = new URL(target, base);
    const exchanged = await exchange({ url, method, headers: signed.headers, body }, bounds);
    const { sendableUntilMs } = signed;
    return judge(exchanged, { schema, told, sendableUntilMs, anyVersion: input.anyVersion ?? false });
  }

  const demo = (verb: string, actor: string, effect: boolean, body: Record<string, unknown> = {}) =>
    call({ method: "POST", route: `${DEMO_ROUTES}/${verb}`, schema: DemoState, actor, effect, body });

  return {
    /** What the engine is: version, clock, limits, routes. The one answer that may come in another RPC version. */
    info: (actor = NOBODY) => call({ method: "GET", route: INFO_ROUTE, schema: InfoAnswer, actor, anyVersion: true }),

    ...lettersClient<z.input<typeof BatchItem>>()(call, PERSISTENCE_ROUTES, {
      inspect: DeadLettersAnswer,
      preflight: PreflightAnswer,
      requeueOne: RequeueAnswer,
      operation: OperationAnswer,
    }),

    journal: lettersClient<z.input<typeof JournalBatchItem>>()(call, JOURNAL_ROUTES, {
      inspect: JournalLettersAnswer,
      preflight: JournalPreflightAnswer,
      requeueOne: JournalRequeueAnswer,
      operation: JournalOperationAnswer,
    }),

    demo: {
      state: (actor = NOBODY) => call({ method: "GET", route: `${DEMO_ROUTES}/state`, schema: DemoState, actor }),
      breakCatalog: (actor: string) => demo("break", actor, true),
      mendCatalog: (actor: string) => demo("mend", actor, true),
      noteViewer: (actor = NOBODY) => demo("viewer", actor, false),
      beginFault: (fault: FaultName, actor: string) => demo("fault", actor, true, { fault }),
      endFault: (fault: FaultName, actor: string) => demo("fault-end", actor, true, { fault }),
    },
  };
}
