import type { z } from "zod";
import type { RpcMethod } from "@/lib/internal-rpc/components";
import type { NonceStore } from "@/lib/internal-rpc/nonces";
import type { Caller } from "./handlers";
import { methodNotAllowed, type Refusal, routeNotFound } from "./refusal";

export type Answer = { kind: "answer"; body: unknown };

export type Handled<B> = { body: B; id: string; query: URLSearchParams; caller: Caller };

/** One route. `schema` is what a POST's body must be; `handle` runs only for a verified, first-time request. */
export type Route<S extends z.ZodType = z.ZodType> = {
  method: RpcMethod;
  /** `:id` stands for one segment, given to `handle` as it came. */
  path: string;
  schema: S | null;
  /** Where its nonces are used up, if not where those of the others are. */
  nonces?: NonceStore;
  handle: (request: Handled<z.output<S>>) => Promise<Answer | Refusal>;
};

export function get(path: string, handle: Route["handle"]): Route {
  return { method: "GET", path, schema: null, handle };
}

export function post<S extends z.ZodType>(path: string, schema: S, handle: Route<S>["handle"]): Route {
  // The schema that parsed the body is the one that `handle` was typed by.
  return { method: "POST", path, schema, handle: handle as Route["handle"] };
}

export type Found = { kind: "found"; route: Route; id: string };

/** Finds the route of a raw path: compared as it was signed, nothing decoded, so that one route has one spelling. */
export function findRoute(routes: readonly Route[], method: string, path: string): Found | Refusal {
  const allowed: string[] = [];
  for (const route of routes) {
    const id = match(route.path, path);
    if (id === null) continue;
    if (route.method === method) return { kind: "found", route, id };
    allowed.push(route.method);
  }
  return allowed.length > 0 ? methodNotAllowed(allowed) : routeNotFound();
}

/** The segment in the place of `:id` (empty where the pattern has none), or null when the path is another. */
function match(pattern: string, path: string): string | null {
  if (!pattern.endsWith("/:id")) return pattern === path ? "" : null;
  const start = pattern.slice(0, -":id".length);
  const id = path.slice(start.length);
  return path.startsWith(start) && id !== "" && !id.includes("/") ? id : null;
}
