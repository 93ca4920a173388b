import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { RpcMethod } from "./components";
import { contentDigest } from "./digest";
import { parseRpcKeys, type RpcKey } from "./keys";
import { signRequest } from "./sign";
import { signComponents } from "./signature";
import { type ReceivedRequest, verifyRequest } from "./verify";

const text = (id: string) => `${id}:${randomBytes(32).toString("base64")}`;
const [first, second, stranger] = [text("first"), text("second"), text("stranger")];
const keys = parseRpcKeys(`${first},${second}`);
const audience = "engine.backstop.internal";
const nowMs = 1_790_000_000_000;
const body = Buffer.from('{"rpc_version":1,"dead_letter_id":"0190"}');

async function signed(method: RpcMethod, with_: Partial<Parameters<typeof signRequest>[0]> = {}) {
  const target = "/v1/internal/things?limit=5";
  const post = method === "POST" ? { idempotencyKey: "op-1", body } : {};
  const request = { method, target, audience, key: keys[0], actor: "user-7", nowMs, ...post, ...with_ };
  const { headers, sendableUntilMs } = await signRequest(request);
  const received: ReceivedRequest = {
    method,
    target: request.target,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: method === "POST" ? body : Buffer.alloc(0),
  };
  return { received, sendableUntilMs };
}

const verify = (received: ReceivedRequest, by = { audience, keys }) => verifyRequest(received, by);

describe("a signed request", () => {
  test("says who, when and under which key", async () => {
    const { received, sendableUntilMs } = await signed("POST");
    expect(sendableUntilMs).toBe(1_790_000_030_000);
    expect(await verify(received)).toMatchObject({
      kind: "authentic",
      request: {
        keyId: "first",
        actor: "user-7",
        idempotencyKey: "op-1",
        createdS: 1_790_000_000,
        expiresS: 1_790_000_030,
      },
    });
  });

  test("a GET has neither digest nor idempotency key", async () => {
    const { received } = await signed("GET");
    expect(received.headers["content-digest"]).toBeUndefined();
    expect(await verify(received)).toMatchObject({ kind: "authentic", request: { idempotencyKey: null } });
  });

  test("the second active key is accepted, a stranger's is unknown, a stranger's under a known id is wrong", async () => {
    const [other] = parseRpcKeys(stranger ?? "");
    expect((await verify((await signed("POST", { key: keys[1] as RpcKey })).received)).kind).toBe("authentic");
    expect((await verify((await signed("POST", { key: other })).received)).kind).toBe("unknown_key");
    const posing = { id: "first", secret: other.secret };
    expect((await verify((await signed("POST", { key: posing })).received)).kind).toBe("bad_signature");
  });

  test("two tries of the same request have two nonces", async () => {
    const nonces = await Promise.all([1, 2].map(async () => verify((await signed("POST")).received)));
    const [a, b] = nonces.map((verified) => verified.kind === "authentic" && verified.request.nonce);
    expect(a).not.toBe(b);
  });
});

describe("a tampered request is refused", () => {
  const header = (received: ReceivedRequest, name: string, value: string | string[] | undefined): ReceivedRequest => ({
    ...received,
    headers: { ...received.headers, [name]: typeof value === "string" ? [value] : value },
  });
  const line = (received: ReceivedRequest, name: string) => received.headers[name]?.[0] ?? "";

  test.each<[string, (received: ReceivedRequest) => ReceivedRequest]>([
    ["the body", (r) => ({ ...r, body: Buffer.from("{}") })],
    [
      "the body and its digest",
      (r) => header({ ...r, body: Buffer.from("{}") }, "content-digest", contentDigest(Buffer.from("{}"))),
    ],
    ["the digest", (r) => header(r, "content-digest", contentDigest(Buffer.from("other")))],
    [
      "a second digest that is right",
      (r) => header(r, "content-digest", `${contentDigest(Buffer.from("other"))}, ${line(r, "content-digest")}`),
    ],
    ["the digest's algorithm", (r) => header(r, "content-digest", line(r, "content-digest").replace("sha-256", "md5"))],
    ["the actor", (r) => header(r, "backstop-actor", "user-8")],
    ["a second actor", (r) => header(r, "backstop-actor", ["user-7", "user-8"])],
    ["the idempotency key", (r) => header(r, "idempotency-key", "op-2")],
    ["the query", (r) => ({ ...r, target: r.target.replace("5", "6") })],
    ["the query taken away", (r) => ({ ...r, target: r.target.split("?")[0] ?? "" })],
    ["the path", (r) => ({ ...r, target: r.target.replace("things", "other") })],
    ["the path spelled otherwise", (r) => ({ ...r, target: r.target.replace("things", "%74hings") })],
    ["the method", (r) => ({ ...r, method: "GET", body: Buffer.alloc(0) })],
    ["no signature", (r) => header(header(r, "signature", undefined), "signature-input", undefined)],
    ["no signature but its input", (r) => header(r, "signature", undefined)],
    [
      "two signatures",
      (r) => {
        const twice = (name: string) => `${line(r, name)}, ${line(r, name).replace("backstop=", "other=")}`;
        return header(header(r, "signature", twice("signature")), "signature-input", twice("signature-input"));
      },
    ],
    ["two signatures for one input", (r) => header(r, "signature", `other=:AAAA:, ${line(r, "signature")}`)],
    [
      "another input first",
      (r) =>
        header(
          r,
          "signature-input",
          `${line(r, "signature-input").replace("backstop=", "other=")}, ${line(r, "signature-input")}`,
        ),
    ],
    [
      "another input of the same name first",
      (r) => header(r, "signature-input", `backstop=("@path");keyid="first", ${line(r, "signature-input")}`),
    ],
    [
      "a second digest that is wrong",
      (r) => header(r, "content-digest", `${line(r, "content-digest")}, ${contentDigest(Buffer.from("other"))}`),
    ],
    [
      "two inputs for one signature",
      (r) =>
        header(
          r,
          "signature-input",
          `${line(r, "signature-input")}, ${line(r, "signature-input").replace("backstop=", "other=")}`,
        ),
    ],
    ["two lines of signatures", (r) => header(r, "signature", [line(r, "signature"), line(r, "signature")])],
    ["another label", (r) => header(r, "signature", line(r, "signature").replace("backstop=", "other="))],
    [
      "another algorithm's name",
      (r) => header(r, "signature-input", line(r, "signature-input").replace("hmac-sha256", "rsa-pss-sha512")),
    ],
    [
      "a later expiry",
      (r) => header(r, "signature-input", line(r, "signature-input").replace("1790000030", "1790000099")),
    ],
    ["a component left out", (r) => header(r, "signature-input", line(r, "signature-input").replace(' "@query"', ""))],
    ["garbage", (r) => header(r, "signature-input", 'backstop=("@method";;;')],
    ["a signature of nothing", (r) => header(r, "signature", "backstop=::")],
  ])("%s", async (_, tamper) => {
    const { received } = await signed("POST");
    expect((await verify(received)).kind).toBe("authentic");
    expect((await verify(tamper(received))).kind).toBe("bad_signature");
  });

  test("the authority is the configured audience, whatever Host says", async () => {
    const { received } = await signed("POST");
    const hosted = header(received, "host", "engine.backstop.internal");
    expect((await verify(hosted, { audience: "other.internal", keys })).kind).toBe("bad_signature");
    expect((await verify(header(received, "host", "evil"), { audience, keys })).kind).toBe("authentic");
  });
});

describe("a signature that its holder made otherwise is refused", () => {
  const values: Record<string, string> = {
    "@method": "GET",
    "@authority": audience,
    "@path": "/p",
    "@query": "?",
    "backstop-actor": "user-7",
  };
  const params = {
    created: new Date(nowMs),
    expires: new Date(nowMs + 30_000),
    nonce: "a-nonce-of-its-own",
    alg: "hmac-sha256",
  };
  async function judged(components: Record<string, string>, given: Partial<typeof params>) {
    const made = await signComponents({ key: keys[0], label: "x", components, params: { ...params, ...given } });
    const headers = {
      "backstop-actor": ["user-7"],
      signature: [made.signature],
      "signature-input": [made["signature-input"]],
    };
    return verify({ method: "GET", target: "/p", headers, body: Buffer.alloc(0) });
  }
  const without = (name: string) => Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));

  test("as it should be, it is accepted, in any order", async () => {
    expect((await judged(values, {})).kind).toBe("authentic");
    expect((await judged(Object.fromEntries(Object.entries(values).reverse()), {})).kind).toBe("authentic");
  });

  test.each(Object.keys(values))("without %s", async (name) => {
    expect(await judged(without(name), {})).toMatchObject({ kind: "bad_signature", why: /cover exactly/ });
  });

  test.each<[string, Partial<typeof params>, RegExp]>([
    ["another algorithm", { alg: "hmac-sha512" }, /alg/],
    ["a long life", { expires: new Date(nowMs + 31_000) }, /expires/],
    ["an end before its beginning", { expires: new Date(nowMs - 1_000) }, /expires/],
    ["a nonce of one letter", { nonce: "x" }, /nonce/],
  ])("with %s", async (_, given, why) => {
    expect(await judged(values, given)).toMatchObject({ kind: "bad_signature", why: expect.stringMatching(why) });
  });

  /** Signed by hand: what the signing side would never make. */
  function byHand(extra: [name: string, value: string][], plain = values) {
    const all = [...Object.entries(plain).map(([name, value]) => [`"${name}"`, value] as const), ...extra];
    const { created, expires, nonce } = params;
    const input = `(${all.map(([name]) => name).join(" ")});created=${created.getTime() / 1_000};expires=${expires.getTime() / 1_000};nonce="${nonce}";keyid="first"`;
    const base = [...all.map(([name, value]) => `${name}: ${value}`), `"@signature-params": ${input}`].join("\n");
    const signature = createHmac("sha256", keys[0].secret).update(base).digest("base64");
    const headers = {
      "backstop-actor": ["user-7"],
      signature: [`x=:${signature}:`],
      "signature-input": [`x=${input}`],
    };
    return verify({ method: "GET", target: "/p", headers, body: Buffer.alloc(0) });
  }

  test("made by hand, and without alg, it is accepted", async () => {
    expect((await byHand([])).kind).toBe("authentic");
  });

  test.each<[string, [string, string]]>([
    ["one component more", ['"host"', "x"]],
    ["a component twice", ['"@path"', "/p"]],
    ["a component with a parameter", ['"@path";req', "/p"]],
  ])("with %s", async (_, extra) => {
    expect((await byHand([extra])).kind).toBe("bad_signature");
  });

  test("with a parameter on a component of the set", async () => {
    expect((await byHand([['"@path";req', "/p"]], without("@path"))).kind).toBe("bad_signature");
  });
});
