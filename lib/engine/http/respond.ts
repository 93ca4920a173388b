import type { IncomingMessage } from "node:http";
import { splitTarget } from "@/lib/internal-rpc/components";
import { type Authenticated, authenticate, type Trust } from "./authenticate";
import { readBody } from "./body";
import { type Decoded, decodeBody } from "./decode";
import { type Refusal, refuse } from "./refusal";
import { type Answer, findRoute, type Route } from "./route";

export type Ending = Answer | Refusal | { kind: "gone" };

/** What of a request is worth a log line; filled in as it becomes known. Never a path or a body as it came. */
export type Noted = { route?: string; key_id?: string; actor?: string };

/**
 * One request through its gates, in this order: size, route, method, signature, time and nonce, version, schema, handler.
 * Rejects only for what is broken.
 */
export async function respond(
  request: IncomingMessage,
  routes: readonly Route[],
  trust: Trust,
  requestId: string,
  note: Noted,
): Promise<Ending> {
  // Read before anything is answered, a 404 too: a connection closed over unread bytes may lose the answer.
  const reading = await readBody(request);
  if (reading.kind === "gone") return reading;
  if (reading.kind === "too_large") return refuse(413, "body_too_large", "The body is over 256 KiB.");

  const target = request.url ?? "";
  const { path, query } = splitTarget(target);
  const found = findRoute(routes, request.method ?? "", path);
  if (found.kind === "refusal") return found;
  const { route, id } = found;
  note.route = `${route.method} ${route.path}`;
  if (!route.schema && reading.body.length > 0) return refuse(400, "body_not_allowed", "A GET has no body.");

  const who: Authenticated | Refusal = await authenticate(
    request,
    reading.body,
    { ...trust, nonces: route.nonces ?? trust.nonces },
    requestId,
  );
  if (who.kind === "refusal") return who;
  const { caller } = who;
  note.key_id = caller.keyId;
  note.actor = caller.actor;

  const decoded: Decoded | Refusal = route.schema
    ? decodeBody(reading.body, route.schema)
    : { kind: "decoded", body: undefined };
  if (decoded.kind === "refusal") return decoded;
  return route.handle({ body: decoded.body, id, query: new URLSearchParams(query), caller });
}
