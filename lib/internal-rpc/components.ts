/** The methods that signed endpoints have. */
export type RpcMethod = "GET" | "POST";

/** What a signature covers, by method; the server accepts this set and no other, in any order. */
export const COVERED: Record<RpcMethod, readonly string[]> = {
  GET: ["@method", "@authority", "@path", "@query", "backstop-actor"],
  POST: ["@method", "@authority", "@path", "@query", "content-digest", "idempotency-key", "backstop-actor"],
};

/** An opaque value of a header: an actor or an idempotency key. */
export const OPAQUE = /^[\x21-\x7e]{1,128}$/;

/** Path and query of a raw request target, as `@path` and `@query` are signed: nothing is decoded or normalised. */
export function splitTarget(target: string): { path: string; query: string } {
  const mark = target.indexOf("?");
  return mark < 0 ? { path: target, query: "?" } : { path: target.slice(0, mark), query: target.slice(mark) };
}

/** The derived components of a request. The authority is the audience both sides were configured with, never `Host`. */
export function derivedComponents(request: {
  method: string;
  target: string;
  audience: string;
}): Record<string, string> {
  const { path, query } = splitTarget(request.target);
  return {
    "@method": request.method,
    "@authority": request.audience.toLowerCase(),
    "@path": path,
    "@query": query,
  };
}
