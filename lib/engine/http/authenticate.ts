import type { IncomingMessage } from "node:http";
import type { RpcMethod } from "@/lib/internal-rpc/components";
import type { RpcKeys } from "@/lib/internal-rpc/keys";
import type { NonceStore } from "@/lib/internal-rpc/nonces";
import { verifyRequest } from "@/lib/internal-rpc/verify";
import type { Caller } from "./handlers";
import { clockSkew, type Refusal, refuse } from "./refusal";

export type Trust = { audience: string; keys: RpcKeys; nonces: NonceStore };
export type Authenticated = { kind: "authenticated"; caller: Caller };

/** The store that keeps the nonces failed: no handler has run, so nothing was changed. `cause`: its own error. */
export class StoreUnavailable extends Error {}

/**
 * Who is calling. The HMAC is checked first, so that nobody without a key reaches the store; then the store judges the
 * time and uses the nonce up, and only then may a handler run. Throws `StoreUnavailable`.
 */
export async function authenticate(
  request: IncomingMessage,
  body: Buffer,
  trust: Trust,
  requestId: string,
): Promise<Authenticated | Refusal> {
  const verified = await verifyRequest(
    { method: request.method as RpcMethod, target: request.url ?? "", headers: request.headersDistinct, body },
    trust,
  );
  switch (verified.kind) {
    case "unknown_key":
      return refuse(401, "unknown_key", "No active key has this keyid.");
    case "bad_signature":
      return refuse(401, "bad_signature", `The signature is refused: ${verified.why}.`);
    case "authentic":
      break;
    default:
      return verified satisfies never;
  }
  const { keyId, actor, idempotencyKey, expiresS } = verified.request;
  const verdict = await trust.nonces.consume(verified.request).catch((cause: unknown) => {
    throw new StoreUnavailable("the nonce could not be used up", { cause });
  });
  switch (verdict.kind) {
    case "fresh":
      return {
        kind: "authenticated",
        caller: { requestId, keyId, actor, idempotencyKey, startByMs: expiresS * 1_000 },
      };
    case "replayed":
      return refuse(409, "replayed", "This signature was used before.", { server_time: verdict.serverTime });
    case "clock_skew":
      return clockSkew(verdict.why, verdict.serverTime);
    default:
      return verdict satisfies never;
  }
}
