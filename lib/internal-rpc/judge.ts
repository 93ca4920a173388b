import type { z } from "zod";
import type { Exchanged } from "./exchange";
import type { RpcResult, UnknownCode } from "./result";
import { notOfferedSentence, notSentSentence, refusedSentence, type Told, unknownSentence } from "./sentences";
import { ErrorBody, RPC_VERSION, STORE_UNAVAILABLE } from "./wire";

export type Judged<S extends z.ZodType> = {
  schema: S;
  told: Told;
  sendableUntilMs: number;
  /** `info` alone may answer in another version: telling it is what it is for. */
  anyVersion: boolean;
};

/** A game server's own refusals may come without a sentence. */
const LooseErrorBody = ErrorBody.extend({ message: ErrorBody.shape.message.catch("") });

/** What an exchange proves. An answer that proves nothing is `unknown`, never `refused`. */
export function judge<S extends z.ZodType>(exchanged: Exchanged, call: Judged<S>): RpcResult<z.output<S>> {
  const { told } = call;
  if (exchanged.kind === "not_sent") return { ...exchanged, sentence: notSentSentence(exchanged.code, told) };
  const requestId = exchanged.kind === "answered" ? requestIdOf(exchanged.headers["x-request-id"]) : null;
  const unknown = (code: UnknownCode): RpcResult<never> => ({
    kind: "unknown",
    code,
    sentence: unknownSentence(code, told, exchanged.status),
    status: exchanged.status,
    sendableUntilMs: call.sendableUntilMs,
    requestId,
  });
  if (exchanged.kind === "lost") return unknown(exchanged.code);

  const { status } = exchanged;
  const body = parseJson(exchanged);
  const refusal = LooseErrorBody.safeParse(body);
  const unavailable = status === 503 && refusal.data?.error === STORE_UNAVAILABLE;
  // No handler has run for this copy of the request; whether one has for an earlier copy, nobody can tell.
  if (unavailable && told.effect) return unknown(STORE_UNAVAILABLE);
  if (status >= 500 && !unavailable) return unknown("engine_error");
  if (status >= 300 && status < 400) return unknown("redirected");
  if (status >= 200 && status < 300) {
    if (exchanged.body.length === 0) return unknown("answered_nothing");
    if (body === undefined) return unknown("answered_html");
    if (!call.anyVersion && differsInVersion(body)) return unknown("rpc_version_mismatch");
    const parsed = call.schema.safeParse(body);
    return parsed.success ? { kind: "ok", value: parsed.data, requestId } : unknown("not_understood");
  }

  // A server of the seed's routes only answers 404 in its own way; ours says which of the two it means.
  if (status === 404 && refusal.data?.error !== "operation_not_found")
    return { kind: "not_offered", sentence: notOfferedSentence(told), requestId };
  if (!refusal.success) return unknown("answered_html");
  // This nonce was made for this try: if it was seen before, then an earlier copy of the request got through.
  if (refusal.data.error === "replayed" && told.effect) return unknown("replayed");
  return {
    kind: "refused",
    status,
    code: refusal.data.error,
    message: refusal.data.message.slice(0, 1_000),
    sentence: refusedSentence(refusal.data, told),
    serverTime: refusal.data.server_time ?? null,
    body: refusal.data,
    requestId,
  };
}

/** The body as JSON; undefined when it is not, or does not say that it is. */
function parseJson(answer: Extract<Exchanged, { kind: "answered" }>): unknown {
  if (!/^application\/json\s*(;|$)/i.test(answer.headers["content-type"] ?? "")) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(answer.body));
  } catch {
    return undefined;
  }
}

function differsInVersion(body: unknown): boolean {
  const version = (body as { rpc_version?: unknown } | null)?.rpc_version;
  return version !== undefined && version !== RPC_VERSION;
}

function requestIdOf(header: string | string[] | undefined): string | null {
  return typeof header === "string" && /^[\x21-\x7e]{1,128}$/.test(header) ? header : null;
}
