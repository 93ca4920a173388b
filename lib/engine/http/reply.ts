import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Refusal } from "./refusal";
import type { Answer } from "./route";

/** Sends one JSON answer, with its request id in the header and, for a refusal, in the body. Gives the status. */
export function send(response: ServerResponse, ending: Answer | Refusal, requestId: string, close: boolean): number {
  const [status, body] =
    ending.kind === "answer" ? [200, ending.body] : [ending.status, { ...ending.body, request_id: requestId }];
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...COMMON,
    "content-length": bytes.length,
    "x-request-id": requestId,
    ...(ending.kind === "refusal" && ending.headers),
    ...(close && { connection: "close" }),
  });
  response.end(bytes);
  return status;
}

/** The same for what never became a request: written on the bare socket, which is then closed. */
export function sendRaw(socket: Duplex, status: number, error: string, message: string, requestId: string): void {
  const body = JSON.stringify({ error, message, request_id: requestId });
  const head = Object.entries({
    ...COMMON,
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestId,
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}`);
  const text = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, "", body].join("\r\n");
  // Who sends garbage may never close its side; some time to read the answer is all it gets.
  socket.end(text, () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
}

const LINGER_MS = 200;

const COMMON = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};
