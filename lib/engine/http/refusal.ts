import { SIGNATURE_LIFETIME_S, SKEW_MAX_S } from "@/lib/internal-rpc/limits";
import { type ErrorBody, RPC_VERSION } from "@/lib/internal-rpc/wire";

/** A refusal as it goes out; the request id is added when it does. */
export type Refusal = {
  kind: "refusal";
  status: number;
  body: Omit<ErrorBody, "request_id">;
  headers?: Record<string, string>;
};

export function refuse(
  status: number,
  error: string,
  message: string,
  more: Partial<Omit<ErrorBody, "error" | "message" | "request_id">> = {},
): Refusal {
  return { kind: "refusal", status, body: { error, message, ...more } };
}

export const routeNotFound = () => refuse(404, "route_not_found", "There is no such route.");

export function methodNotAllowed(allowed: readonly string[]): Refusal {
  const allow = allowed.join(", ");
  return {
    ...refuse(405, "method_not_allowed", `This route takes ${allow} only.`),
    headers: { allow },
  };
}

/** `serverTime`: what the store's clock said when it judged. */
export function clockSkew(why: "too_far" | "expired", serverTime: string): Refusal {
  const message =
    why === "too_far"
      ? `The signature was created more than ${SKEW_MAX_S} s away from the server's time.`
      : `The signature has expired: it lives for ${SIGNATURE_LIFETIME_S} s.`;
  return refuse(401, "clock_skew", message, { server_time: serverTime });
}

export function versionMismatch(given: unknown): Refusal {
  return refuse(409, "rpc_version_mismatch", `This server speaks RPC version ${RPC_VERSION}.`, {
    expected_rpc_version: RPC_VERSION,
    given_rpc_version: typeof given === "number" || typeof given === "string" ? given : null,
  });
}
