import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { refuse } from "./refusal";
import { send } from "./reply";

export const METRICS_ROUTE = "/v1/internal/metrics";

export type MetricsOptions = {
  /** BACKSTOP_METRICS_TOKEN; null: the route does not exist. */
  token: string | null;
  contentType: string;
  read: () => Promise<string>;
};

const hash = (text: string) => createHash("sha256").update(text).digest();

/**
 * Answers `GET /v1/internal/metrics`, which a scraper reads with a bearer token instead of a signature: it has no effect
 * and tells no player's data. Answers whether the request was for it.
 */
export async function respondMetrics(
  request: IncomingMessage,
  response: ServerResponse,
  { token, contentType, read }: MetricsOptions,
  requestId: string,
): Promise<boolean> {
  if (token === null || request.method !== "GET" || request.url !== METRICS_ROUTE) return false;
  const given = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
  if (!timingSafeEqual(hash(given), hash(token))) {
    send(
      response,
      refuse(401, "bad_token", "The metrics need `Authorization: Bearer` and their token."),
      requestId,
      false,
    );
    return true;
  }
  const text = await read();
  response.writeHead(200, { "content-type": contentType, "cache-control": "no-store", "x-request-id": requestId });
  response.end(text);
  return true;
}
