import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { NonceStore } from "@/lib/internal-rpc/nonces";
import { PERSISTENCE_ROUTES } from "@/lib/internal-rpc/wire";
import { type RunningHttp, startHttp } from "./server";
import { AUDIENCE, LETTER, newKey, notingHandlers, send, signedMessage } from "./testing";

// What comes here never gets as far as a signature, so no store is asked.
const noStore: NonceStore = {
  consume: async () => ({ kind: "fresh", serverTime: "" }),
  sweep: async () => 0,
};
const rpcKeys = newKey();
let http: RunningHttp;
let release: () => void = () => {};
const sockets: Socket[] = [];

beforeEach(async () => {
  const { handlers } = notingHandlers({
    requeueOne: () =>
      new Promise((resolve) => {
        release = () => resolve({ kind: "not_requeued", retryJobId: null });
      }),
  });
  http = await startHttp({
    port: 0,
    audience: AUDIENCE,
    rpcKeys,
    nonces: noStore,
    handlers,
    log: () => {},
    timeouts: { headersMs: 300, requestMs: 600, closeMs: 500 },
  });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await http.close();
});

/** Writes raw bytes and gives all that came back when the server had closed the connection. */
function raw(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port: http.port, host: "127.0.0.1", allowHalfOpen: true });
    sockets.push(socket);
    let got = "";
    socket.on("data", (chunk) => {
      got += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(got));
    socket.on("end", () => resolve(got));
    socket.write(bytes);
  });
}

const health = () => send(http.port, { method: "GET", target: "/health", headers: {} });
const head = (length: string) => `POST ${PERSISTENCE_ROUTES}/requeue HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n`;

test.each<[string, string, RegExp]>([
  ["garbage", "\x16\x03\x01 not http at all\r\n\r\n", /^HTTP\/1\.1 400 .*"error":"bad_http"/s],
  ["headers that never end", "GET / HTTP/1.1\r\nHost: x\r\n", /^HTTP\/1\.1 408 .*"error":"request_timeout"/s],
  ["a body that never comes", head("Content-Length: 10"), /^HTTP\/1\.1 408 /],
  ["chunks that never end", `${head("Transfer-Encoding: chunked")}1\r\n{\r\n`, /^HTTP\/1\.1 408 /],
  ["headers of 64 KiB", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(65_536)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
  ["a length of a terabyte", head("Content-Length: 1099511627776"), /^HTTP\/1\.1 413 .*"error":"body_too_large"/s],
  [
    "chunks without end",
    `${head("Transfer-Encoding: chunked")}100000\r\n${"z".repeat(0x100000)}\r\n100000\r\n${"z".repeat(0x100000)}\r\n`,
    /^HTTP\/1\.1 413 |^$/,
  ],
  ["a length and chunks", head("Content-Length: 2\r\nTransfer-Encoding: chunked"), /^HTTP\/1\.1 400 /],
  ["an absolute target", "GET http://evil/v1/internal/info HTTP/1.1\r\nHost: x\r\n\r\n", /^HTTP\/1\.1 404 /],
])("%s is answered in time, with a request id, and the next request is not affected", async (name, bytes, expected) => {
  const got = await raw(name.startsWith("an absolute") ? bytes.replace("Host", "Connection: close\r\nHost") : bytes);
  expect(got).toMatch(expected);
  if (got !== "") expect(got).toMatch(/x-request-id: [0-9a-f-]{36}/i);
  expect((await health()).status).toBe(200);
});

test("a hundred callers that say nothing keep nobody out", async () => {
  const silent = Array.from({ length: 100 }, () => connect(http.port, "127.0.0.1"));
  sockets.push(...silent);
  for (const socket of silent) socket.on("error", () => {});
  expect((await health()).status).toBe(200);
});

test("closing lets what is in hand finish and takes nothing new", async () => {
  const body = { rpc_version: 1, dead_letter_id: LETTER };
  const sending = send(http.port, await signedMessage({ rpcKeys, target: `${PERSISTENCE_ROUTES}/requeue`, body }));
  await sleep(100);
  const closing = http.close();
  await expect(health()).rejects.toThrow();
  release();
  expect((await sending).body).toEqual({ requeued: false, retry_job_id: null });
  await closing;
});

test("closing does not wait for ever", async () => {
  const body = { rpc_version: 1, dead_letter_id: LETTER };
  const sending = send(http.port, await signedMessage({ rpcKeys, target: `${PERSISTENCE_ROUTES}/requeue`, body }));
  const cut = expect(sending).rejects.toThrow();
  await sleep(100);
  const startedMs = performance.now();
  await http.close();
  expect(performance.now() - startedMs).toBeLessThan(2_000);
  await cut;
});
