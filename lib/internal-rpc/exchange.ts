import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { connectTo } from "./connect";
import type { NotSentCode } from "./result";

export type Bounds = { connectTimeoutMs: number; callTimeoutMs: number; answerBytesMax: number };

export type Exchanged =
  | { kind: "answered"; status: number; headers: IncomingHttpHeaders; body: Buffer }
  | { kind: "not_sent"; code: NotSentCode }
  | { kind: "lost"; code: "timed_out" | "cut" | "answered_nothing" | "answer_too_large"; status: number | null };

export type Outgoing = { url: URL; method: string; headers: Record<string, string>; body?: Uint8Array | undefined };

/**
 * One try of one request on a connection of its own: nothing is followed, repeated or kept for the next one.
 * Never rejects.
 */
export async function exchange(outgoing: Outgoing, bounds: Bounds): Promise<Exchanged> {
  const startedMs = performance.now();
  const connected = await connectTo(outgoing.url, bounds.connectTimeoutMs);
  if (connected.kind === "not_sent") return connected;
  const leftMs = Math.max(1, bounds.callTimeoutMs - (performance.now() - startedMs));
  return sendOn(connected.socket, outgoing, leftMs, bounds.answerBytesMax);
}

function sendOn(socket: Socket, outgoing: Outgoing, timeoutMs: number, answerBytesMax: number): Promise<Exchanged> {
  const { url, method, headers, body } = outgoing;
  return new Promise((resolve) => {
    let status: number | null = null;
    const end = (result: Exchanged) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const lose = (code: Extract<Exchanged, { kind: "lost" }>["code"]) => end({ kind: "lost", code, status });
    const timer = setTimeout(() => lose("timed_out"), timeoutMs);
    const request = httpRequest({
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      host: url.hostname,
      headers: {
        host: url.host,
        connection: "close",
        accept: "application/json",
        ...headers,
        ...(body && { "content-length": String(body.byteLength), "content-type": "application/json" }),
      },
    });
    request.on("error", () => lose(status === null ? "answered_nothing" : "cut"));
    request.on("response", (response) => {
      status = response.statusCode ?? 0;
      collect(response, answerBytesMax, lose, (answer) =>
        end({ kind: "answered", status: status ?? 0, headers: response.headers, body: answer }),
      );
    });
    request.end(body);
  });
}

function collect(
  response: IncomingMessage,
  bytesMax: number,
  lose: (code: "cut" | "answer_too_large") => void,
  done: (body: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) lose("answer_too_large");
    else chunks.push(chunk);
  });
  response.on("error", () => lose("cut"));
  response.on("close", () => lose("cut"));
  response.on("end", () => (response.complete ? done(Buffer.concat(chunks)) : lose("cut")));
}
