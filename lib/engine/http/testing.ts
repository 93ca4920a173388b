import { randomBytes, randomUUID } from "node:crypto";
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { RpcMethod } from "@/lib/internal-rpc/components";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import { signRequest } from "@/lib/internal-rpc/sign";
import type { EngineHandlers } from "./handlers";

// What the tests of this folder share.

export const AUDIENCE = "engine.backstop.internal";
export const LETTER = "01900000-0000-7000-8000-000000000001";
export const JOB = "01900000-0000-7000-8000-000000000002";
export const NOW = "2026-01-02T03:04:05.678901Z";

/** A key as the environment gives it. */
export const newKey = (id = "k1") => `${id}:${randomBytes(32).toString("base64")}`;

/** Handlers that note what reached them. */
export function notingHandlers(over: Partial<EngineHandlers> = {}) {
  const calls: unknown[][] = [];
  const noted =
    <A extends unknown[], R>(name: string, answer: R) =>
    async (...args: A): Promise<R> => {
      calls.push([name, ...args]);
      return answer;
    };
  const state = {
    broken_since: null,
    zone_id: null,
    zone_name: null,
    letters: 0,
    letters_max: 40,
    idle: false,
    characters: 200,
  };
  const handlers: EngineHandlers = {
    info: noted("info", {
      server_time: NOW,
      lease_seconds: 30,
      retry_limit: 8,
      backoff_ms: 250,
      backoff_cap_ms: 60_000,
    }),
    inspectDeadLetters: noted("inspect", { pending_retry_jobs: 3, active_dead_letters: 1, dead_letters: [] }),
    requeueOne: noted("requeueOne", { kind: "requeued", retryJobId: JOB } as const),
    readFacts: noted("readFacts", { read_at: NOW, facts: [] }),
    requeueBatch: noted("requeueBatch", {
      kind: "answered",
      server_time: NOW,
      answers: [{ answer: "requeued", dead_letter_id: LETTER, retry_job_id: JOB, at: NOW }],
    } as const satisfies Awaited<ReturnType<EngineHandlers["requeueBatch"]>>) as EngineHandlers["requeueBatch"],
    readOperation: noted("readOperation", { kind: "not_found", serverTime: NOW } as const),
    demo: {
      readState: async () => state,
      breakCatalog: noted("break", null),
      mendCatalog: noted("mend", null),
      noteViewer: noted("viewer", null),
      beginFault: noted("fault", null),
      endFault: noted("fault-end", null),
    },
    ...over,
  };
  return { handlers, calls, names: () => calls.map(([name]) => name) };
}

export type Sent = { status: number; headers: IncomingHttpHeaders; body: Record<string, unknown> };

export type Message = { method: string; target: string; headers: Record<string, string>; body?: Uint8Array };

/** A signed request, to be changed before it is sent. */
export async function signedMessage(input: {
  rpcKeys: string;
  method?: RpcMethod;
  target: string;
  body?: unknown;
  nowMs?: number;
  actor?: string;
  idempotencyKey?: string;
}): Promise<Message> {
  const { method = "POST", target } = input;
  const [key] = parseRpcKeys(input.rpcKeys);
  const body = method === "GET" ? undefined : Buffer.from(asText(input.body));
  const { headers } = await signRequest({
    method,
    target,
    audience: AUDIENCE,
    key,
    actor: input.actor ?? "user-7",
    nowMs: input.nowMs ?? Date.now(),
    ...(body && { body, idempotencyKey: input.idempotencyKey ?? randomUUID() }),
  });
  return { method, target, headers, ...(body && { body }) };
}

const asText = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body ?? {}));

/** Sends a message as it is, on a connection of its own. */
export function send(port: number, message: Message): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        port,
        host: "127.0.0.1",
        agent: new Agent(),
        method: message.method,
        path: message.target,
        headers: { ...message.headers, ...(message.body && { "content-length": message.body.byteLength }) },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) });
        });
      },
    );
    request.on("error", reject);
    request.end(message.body);
  });
}
