import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { sqlState } from "@/lib/db/pg";
import { log as logLine } from "@/lib/engine/log";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import type { NonceStore } from "@/lib/internal-rpc/nonces";
import { STORE_UNAVAILABLE } from "@/lib/internal-rpc/wire";
import { StoreUnavailable } from "./authenticate";
import type { EngineHandlers } from "./handlers";
import { type MetricsOptions, respondMetrics } from "./metrics";
import { refuse } from "./refusal";
import { send, sendRaw } from "./reply";
import { type Ending, type Noted, respond } from "./respond";
import { createRoutes } from "./routes";

export type HttpOptions = {
  /** Loopback unless told otherwise. */
  host?: string;
  /** 0: any free one. */
  port: number;
  audience: string;
  /** BACKSTOP_RPC_KEYS as it was given. */
  rpcKeys: string;
  nonces: NonceStore;
  handlers: EngineHandlers;
  /** BACKSTOP_ENGINE_ROUTES: `seed` offers the seed's routes only. */
  routes?: "all" | "seed";
  metrics?: MetricsOptions;
  log?: typeof logLine;
  timeouts?: { headersMs?: number; requestMs?: number; closeMs?: number };
};

export type RunningHttp = {
  port: number;
  /** Takes no more requests, lets those in hand finish for `closeMs`, then cuts what is left. */
  close: () => Promise<void>;
};

const SWEEP_EVERY_MS = 60_000;

/** Starts the engine's endpoints. Rejects when a key is weak or the port is taken. */
export async function startHttp(options: HttpOptions): Promise<RunningHttp> {
  const { audience, nonces, handlers, log = logLine } = options;
  const timeouts = { headersMs: 5_000, requestMs: 10_000, closeMs: 10_000, ...options.timeouts };
  const trust = { audience, nonces, keys: parseRpcKeys(options.rpcKeys) };
  const routes = createRoutes(handlers, options.routes ?? "all");
  let closing = false;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = randomUUID();
    const startedMs = performance.now();
    const noted: Noted = {};
    if (request.method === "GET" && request.url === "/health") {
      send(response, { kind: "answer", body: { ok: true } }, requestId, closing);
      return;
    }
    let ending: Ending;
    try {
      if (options.metrics && (await respondMetrics(request, response, options.metrics, requestId))) return;
      ending = await respond(request, routes, trust, requestId, noted);
    } catch (error) {
      const unavailable = error instanceof StoreUnavailable;
      log("rpc_error", { request_id: requestId, route: noted.route, ...brief(unavailable ? error.cause : error) });
      ending = unavailable
        ? refuse(503, STORE_UNAVAILABLE, "The store of this queue takes no writes, or does not answer.")
        : refuse(500, "internal_error", "The engine failed. Its log has the request id.");
    }
    const line = { request_id: requestId, ...noted, ms: Math.round(performance.now() - startedMs) };
    if (ending.kind === "gone" || response.destroyed) {
      log("rpc", { ...line, status: null });
      return;
    }
    // What was not read to its end cannot be told apart from the next request.
    const status = send(response, ending, requestId, closing || !request.complete);
    log("rpc", { ...line, status, ...(ending.kind === "refusal" && { code: ending.body.error }) });
  }

  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: Math.min(1_000, timeouts.headersMs),
      keepAliveTimeout: 5_000,
      maxHeaderSize: 16 * 1_024,
    },
    (request, response) => void answer(request, response),
  );
  server.maxConnections = 256;
  // For a caller that does not read its answer.
  server.timeout = 30_000;
  server.on("clientError", refuseGarbage);

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host ?? "127.0.0.1", () => {
      server.removeListener("error", reject);
      server.on("error", (error) => log("rpc_server_error", brief(error)));
      resolve();
    });
  });
  const sweeping = setInterval(() => {
    for (const store of [nonces, handlers.journal?.nonces])
      store?.sweep().catch((error: unknown) => log("rpc_sweep_error", brief(error)));
  }, SWEEP_EVERY_MS);
  sweeping.unref();

  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        closing = true;
        clearInterval(sweeping);
        const cut = setTimeout(() => server.closeAllConnections(), timeouts.closeMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** What is not HTTP, or did not come in time. */
function refuseGarbage(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT")
    sendRaw(socket, 408, "request_timeout", "The request did not come in time.", requestId);
  else if (error.code === "HPE_HEADER_OVERFLOW")
    sendRaw(socket, 431, "headers_too_large", "The request's headers are too large.", requestId);
  else sendRaw(socket, 400, "bad_http", "This is not an HTTP request.", requestId);
}

/** An error for the log: its kind and its words, cut, since words may quote what was given. */
function brief(error: unknown): Record<string, unknown> {
  const message = error instanceof Error ? error.message : String(error);
  return { error: message.slice(0, 300), sqlstate: sqlState(error) };
}
