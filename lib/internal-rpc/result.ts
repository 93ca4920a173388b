import type { ErrorBody } from "./wire";

/** Why nothing reached the engine: proved, because no connection ever stood. */
export type NotSentCode = "connection_refused" | "host_not_found" | "connect_timeout" | "unreachable" | "not_built";

/** Why it is not known what the engine did. */
export type UnknownCode =
  | "timed_out"
  | "cut"
  | "answered_nothing"
  | "answered_html"
  | "not_understood"
  | "answer_too_large"
  | "redirected"
  | "engine_error"
  | "store_unavailable"
  | "replayed"
  | "rpc_version_mismatch";

/**
 * How a call ended. `sentence` is for the operator: fact, evidence, action.
 *
 * - `ok`: an answer of the wire's schema.
 * - `refused`: the engine's own refusal, as JSON. Nothing was changed.
 * - `not_sent`: nothing reached the engine. Nothing was changed.
 * - `unknown`: it may have been handled. Read the operation back; "not found" is final only after `sendableUntilMs` and
 *   `ENGINE_TRANSACTION_TIMEOUT_MS` have passed on the engine's clock.
 * - `not_offered`: the game server has no such route (the seed's routes only). Nothing was changed.
 */
export type RpcResult<T> =
  | { kind: "ok"; value: T; requestId: string | null }
  | {
      kind: "refused";
      status: number;
      code: string;
      /** The engine's own words, cut. */
      message: string;
      sentence: string;
      serverTime: string | null;
      body: ErrorBody;
      requestId: string | null;
    }
  | { kind: "not_sent"; code: NotSentCode; sentence: string }
  | {
      kind: "unknown";
      code: UnknownCode;
      sentence: string;
      status: number | null;
      sendableUntilMs: number;
      requestId: string | null;
    }
  | { kind: "not_offered"; sentence: string; requestId: string | null };
