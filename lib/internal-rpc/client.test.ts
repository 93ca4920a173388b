import { randomBytes } from "node:crypto";
import { createServer as createHttp, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startProxy } from "@/scripts/testing/proxy";
import { createRpcClient, type RpcClientOptions } from "./client";
import { parseRpcKeys } from "./keys";
import { PERSISTENCE_ROUTES } from "./wire";

const LETTER = "01900000-0000-7000-8000-000000000001";
const OPERATION = "01900000-0000-7000-8000-00000000000f";
const keys = parseRpcKeys(`k1:${randomBytes(32).toString("base64")}`);
const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) await close();
});

/** A client whose waits are short. */
function clientOf(engineUrl: string, over: Partial<RpcClientOptions> = {}) {
  const bounds = { connectTimeoutMs: 300, callTimeoutMs: 600, answerBytesMax: 10_000 };
  return createRpcClient({ engineUrl, audience: "engine.backstop.internal", keys, bounds, ...over });
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A server that answers in its own way, and counts what it was asked. */
async function serverOf(answer: RequestListener) {
  let asked = 0;
  const port = await listen(
    createHttp((request, response) => {
      asked += 1;
      request.resume();
      answer(request, response);
    }),
  );
  return { url: `http://127.0.0.1:${port}`, port, asked: () => asked };
}

const json = (status: number, body: unknown): RequestListener => {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", "x-request-id": "r-1" });
    response.end(JSON.stringify(body));
  };
};
const plain = (status: number, type: string, body: string, headers: Record<string, string> = {}): RequestListener => {
  return (_, response) => response.writeHead(status, { "content-type": type, ...headers }).end(body);
};
const requeueOne = (url: string, over: Partial<RpcClientOptions> = {}) =>
  clientOf(url, over).requeueOne(LETTER, { operationId: OPERATION, actor: "user-7" });

describe("an answer", () => {
  test("of the schema is ok, and what the schema does not name is dropped", async () => {
    const letter = { dead_letter_id: LETTER, retry_job_id: LETTER, job_kind: "k", character_id: LETTER, realm_id: "r" };
    const rest = { zone_id: null, failed_attempts: 8, error: "e", timestamp: "t", session_token: "secret" };
    const body = { pending_retry_jobs: 1, active_dead_letters: 1, dead_letters: [{ ...letter, ...rest }] };
    const { url } = await serverOf(json(200, body));
    const result = await clientOf(url).inspect(5);
    expect(result).toMatchObject({ kind: "ok", requestId: "r-1", value: { pending_retry_jobs: 1 } });
    expect(JSON.stringify(result)).not.toContain("secret");
  });

  test("is asked for under the engine's own path, signed anew each time", async () => {
    const seen: string[] = [];
    const { url } = await serverOf((request, response) => {
      seen.push(`${request.url} ${request.headers["signature-input"]}`);
      json(200, { requeued: false })(request, response);
    });
    for (const _ of [1, 2]) expect((await requeueOne(`${url}/game/`)).kind).toBe("ok");
    expect(seen[0]).toContain(`/game${PERSISTENCE_ROUTES}/requeue `);
    expect(seen[0]).not.toBe(seen[1]);
  });
});

describe("nothing was sent, proved", () => {
  test("the engine is down", async () => {
    const port = await listen(createTcp());
    for (const close of closing.splice(0)) await close();
    expect(await requeueOne(`http://127.0.0.1:${port}`)).toEqual({
      kind: "not_sent",
      code: "connection_refused",
      sentence: `The engine is down: 127.0.0.1:${port} refused the connection. Nothing was changed. Start it, then try again.`,
    });
  });

  test("the host has no address", async () => {
    expect(await requeueOne("http://nowhere.invalid")).toMatchObject({ kind: "not_sent", code: "host_not_found" });
  });

  test("TLS does not come about: what listens does not speak it", async () => {
    const { port, asked } = await serverOf(json(200, { requeued: true }));
    expect(await requeueOne(`https://127.0.0.1:${port}`)).toMatchObject({ kind: "not_sent", code: "unreachable" });
    expect(asked()).toBe(0);
  });

  test("TLS is never completed", async () => {
    const port = await listen(createTcp(() => {}));
    expect(await requeueOne(`https://127.0.0.1:${port}`)).toMatchObject({ kind: "not_sent", code: "connect_timeout" });
  });

  test("an actor that cannot be a header", async () => {
    const { url, asked } = await serverOf(json(200, { requeued: true }));
    const result = await clientOf(url).requeueOne(LETTER, { operationId: OPERATION, actor: "a\r\nb" });
    expect(result).toMatchObject({ kind: "not_sent", code: "not_built" });
    expect(asked()).toBe(0);
  });
});

describe("it may have been handled: unknown, never failed", () => {
  const sendableUntilMs = (Math.floor(1_790_000_000_000 / 1_000) + 30) * 1_000;
  const clock = () => 1_790_000_000_000;

  test.each<[string, string, RequestListener, RegExp]>([
    ["engine_error", "500", json(500, { error: "internal_error", message: "m" }), /answered 500/],
    ["store_unavailable", "no store", json(503, { error: "store_unavailable", message: "m" }), /takes no writes/],
    ["engine_error", "502 of a proxy", plain(502, "text/html", "<h1>Bad gateway</h1>"), /answered 502/],
    ["answered_html", "HTML", plain(200, "text/html", "<html>Sign in</html>"), /is not the engine/],
    ["answered_html", "HTML that says it is JSON", plain(200, "application/json", "<html>"), /is not the engine/],
    ["answered_html", "JSON that says it is HTML", plain(200, "text/html", '{"requeued":true}'), /is not the engine/],
    ["answered_html", "a refusal in HTML", plain(403, "text/html", "<h1>Forbidden</h1>"), /it sent 403/],
    ["answered_nothing", "an empty body", plain(200, "application/json", ""), /answered nothing/],
    ["not_understood", "another shape", json(200, { done: true }), /does not understand/],
    ["rpc_version_mismatch", "another version", json(200, { rpc_version: 2, requeued: true }), /another RPC version/],
    ["answer_too_large", "20 kB", json(200, { requeued: true, pad: "x".repeat(20_000) }), /over 4 MiB/],
    ["redirected", "a redirect", plain(307, "application/json", "{}", { location: "http://127.0.0.1:1/" }), /redirect/],
    ["replayed", "this nonce was seen before", json(409, { error: "replayed", message: "m" }), /sent it twice/],
    ["timed_out", "no answer", () => {}, /did not answer within 10 s/],
    ["answered_nothing", "a closed connection", (request) => request.socket.destroy(), /answered nothing/],
    [
      "cut",
      "half an answer",
      (request, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "99" });
        response.write('{"requeued":', () => request.socket.destroy());
      },
      /cut off/,
    ],
    [
      "timed_out",
      "an answer that drips",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const drip = setInterval(() => response.write(" "), 50);
        response.on("close", () => clearInterval(drip));
      },
      /did not answer within 10 s/,
    ],
  ])("%s: %s", async (code, _, answer, sentence) => {
    const { url, asked } = await serverOf(answer);
    const startedMs = performance.now();
    const result = await requeueOne(url, { clock });
    expect(result).toMatchObject({ kind: "unknown", code, sendableUntilMs, sentence: expect.stringMatching(sentence) });
    expect(result).toHaveProperty("sentence", expect.stringContaining("is read back by its id; nothing is sent again"));
    expect(performance.now() - startedMs).toBeLessThan(1_500);
    expect(asked()).toBe(1);
  });

  test.each([
    ["after the engine took it", { kind: "cut_before_reply" }, "answered_nothing", 1],
    ["in the reply", { kind: "cut_in_reply", bytes: 20 }, "answered_nothing", 1],
    ["in the reply's body", { kind: "cut_in_reply", bytes: 200 }, "cut", 1],
    ["before the engine saw it", { kind: "cut_before_request" }, "answered_nothing", 0],
    ["by silence", { kind: "black_hole" }, "timed_out", 0],
    ["by a held reply", { kind: "hold_reply" }, "timed_out", 1],
  ] as const)("cut %s", async (_, mode, code, handled) => {
    const server = await serverOf(json(200, { requeued: true, pad: "y".repeat(2_000) }));
    const proxy = await startProxy({ port: server.port });
    closing.push(proxy.close);
    proxy.set(mode);
    expect(await requeueOne(`http://127.0.0.1:${proxy.port}`)).toMatchObject({ kind: "unknown", code });
    expect(server.asked()).toBe(handled);
  });

  test("a question that changes nothing says so", async () => {
    const { url } = await serverOf(json(500, {}));
    const result = await clientOf(url).preflight([LETTER], "user-7");
    expect(result).toMatchObject({ kind: "unknown", sentence: expect.stringContaining("It only asked.") });
  });

  test("it signs for the intent's time when it is given one", async () => {
    const { url } = await serverOf(json(500, {}));
    const result = await clientOf(url).requeueBatch(OPERATION, [{ dead_letter_id: LETTER }], "u", {
      signedMs: clock(),
    });
    expect(result).toMatchObject({ kind: "unknown", sendableUntilMs });
  });
});

describe("a refusal", () => {
  test.each<[number, Record<string, unknown>, RegExp]>([
    [401, { error: "unknown_key" }, /does not know the key "k1"/],
    [
      401,
      { error: "bad_signature", message: "It does not match." },
      /refused this desk's signature: It does not match\./,
    ],
    [
      401,
      { error: "clock_skew", server_time: "2026-01-02T03:04:05.678901Z" },
      /signed at 2026-09-21T14:13:20Z, the engine's store says 2026-01-02T03:04:05/,
    ],
    [
      409,
      { error: "rpc_version_mismatch", expected_rpc_version: 2, given_rpc_version: 1 },
      /speaks RPC version 2, this desk 1/,
    ],
    [413, { error: "body_too_large" }, /over 256 KiB/],
    [400, { error: "empty_id" }, /its id is empty/],
    [400, { error: "not_a_uuid" }, /is not a UUID/],
    [422, { error: "undecodable" }, /does not decode/],
    [409, { error: "operation_mismatch" }, /other expectations/],
    [400, { error: "of_their_own", message: "No such\nthing." }, /refused \(of_their_own\): No such thing\./],
  ])("%i %o has its own sentence, and says that nothing was changed", async (status, body, sentence) => {
    const { url } = await serverOf(json(status, body));
    const result = await requeueOne(url, { clock: () => 1_790_000_000_000 });
    expect(result).toMatchObject({ kind: "refused", status, code: body.error, requestId: "r-1" });
    expect(result).toHaveProperty("sentence", expect.stringContaining("Nothing was changed."));
    if (result.kind === "refused") {
      expect(result.sentence).toMatch(sentence);
      expect(result.serverTime).toBe(body.server_time ?? null);
    }
  });

  test("of what only asked, while the engine's store is away: nothing was changed", async () => {
    const { url } = await serverOf(json(503, { error: "store_unavailable", message: "m" }));
    const result = await clientOf(url).inspect(5);
    expect(result).toMatchObject({ kind: "refused", code: "store_unavailable" });
    expect(result).toHaveProperty("sentence", expect.stringContaining("Nothing was changed. Mend the store"));
  });

  test("an operation without a record is told apart from a route that is not offered", async () => {
    const known = await serverOf(json(404, { error: "operation_not_found", message: "m", server_time: "T" }));
    expect(await clientOf(known.url).readOperation(OPERATION)).toMatchObject({
      kind: "refused",
      code: "operation_not_found",
      serverTime: "T",
    });
    for (const answer of [json(404, { error: "route_not_found", message: "m" }), plain(404, "text/plain", "nope")]) {
      const { url } = await serverOf(answer);
      expect(await clientOf(url).readOperation(OPERATION)).toMatchObject({ kind: "not_offered" });
    }
  });
});

test("no proxy of the environment is asked", async () => {
  const trap = await serverOf(json(200, { requeued: false }));
  for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"]) vi.stubEnv(name, trap.url);
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  const engine = await serverOf(json(200, { requeued: true }));
  expect(await requeueOne(engine.url)).toMatchObject({ kind: "ok", value: { requeued: true } });
  expect([engine.asked(), trap.asked()]).toEqual([1, 0]);
});
