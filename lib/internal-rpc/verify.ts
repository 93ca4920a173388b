import { COVERED, derivedComponents, OPAQUE, type RpcMethod } from "./components";
import { digestMatches } from "./digest";
import { findKey, type RpcKeys } from "./keys";
import { SIGNATURE_LIFETIME_S } from "./limits";
import { ALGORITHM, type SignatureParams, verifyComponents } from "./signature";

export type ReceivedRequest = {
  method: RpcMethod;
  /** The raw request target. */
  target: string;
  /** Every line of each header, by its name in small letters. */
  headers: Readonly<Record<string, readonly string[] | undefined>>;
  body: Uint8Array;
};

/** A request whose signature is right. Its time and its nonce are still to be judged, by the store. */
export type Authentic = {
  keyId: string;
  nonce: string;
  createdS: number;
  expiresS: number;
  actor: string;
  /** Null for a GET. */
  idempotencyKey: string | null;
};

export type Verification =
  | { kind: "authentic"; request: Authentic }
  | { kind: "unknown_key" }
  | { kind: "bad_signature"; why: string };

/** One member and no more: a second signature is refused rather than chosen from. */
const ONE_SIGNATURE = /^([a-z*][a-z0-9_.*-]*)=:[A-Za-z0-9+/]+={0,2}:$/;
const NONCE = /^[\x21-\x7e]{8,128}$/;

/**
 * Decides whether a request was signed by somebody who holds an active key, over exactly what `COVERED` names and over
 * this body. Never throws for what a request holds.
 */
export async function verifyRequest(
  received: ReceivedRequest,
  by: { audience: string; keys: RpcKeys },
): Promise<Verification> {
  const wanted = COVERED[received.method];
  const names = [...wanted.filter((name) => !name.startsWith("@")), "signature", "signature-input"];
  const fields: Record<string, string> = {};
  for (const name of names) {
    const lines = received.headers[name] ?? [];
    const [line] = lines;
    if (line === undefined || lines.length > 1) return bad(`${name} must be there exactly once`);
    fields[name] = line.trim();
  }
  const { signature = "", "signature-input": signatureInput = "", ...covered } = fields;
  if (!ONE_SIGNATURE.test(signature) || hasSeveralMembers(signatureInput))
    return bad("there must be exactly one signature");
  const digest = covered["content-digest"];
  if (digest !== undefined && !digestMatches(digest, received.body))
    return bad("content-digest is not the sha-256 of the body");
  if (!OPAQUE.test(covered["backstop-actor"] ?? "")) return bad("backstop-actor is not an opaque id");
  if (received.method === "POST" && !OPAQUE.test(covered["idempotency-key"] ?? ""))
    return bad("idempotency-key is not an opaque id");

  let unknownKey = false;
  const verdict = await verifyComponents({
    headers: { signature, "signature-input": signatureInput },
    components: { ...derivedComponents({ ...received, audience: by.audience }), ...covered },
    findKey: (params) => {
      const key = typeof params.keyid === "string" ? findKey(by.keys, params.keyid) : null;
      unknownKey = key === null;
      return key;
    },
  }).catch(() => null);
  if (verdict === null) return bad("the signature headers do not parse, or cover what is not signed here");
  if (unknownKey) return { kind: "unknown_key" };
  if (verdict.authentic !== true) return bad("it does not match the request");
  if (!sameSet(verdict.covered, wanted)) return bad(`it must cover exactly ${wanted.join(" ")}`);
  const params = checkParams(verdict.params);
  if (typeof params === "string") return bad(params);
  return {
    kind: "authentic",
    request: {
      ...params,
      actor: covered["backstop-actor"] ?? "",
      idempotencyKey: covered["idempotency-key"] ?? null,
    },
  };
}

function checkParams(params: SignatureParams): Pick<Authentic, "keyId" | "nonce" | "createdS" | "expiresS"> | string {
  const { created, expires, nonce, keyid, alg } = params;
  const createdS = created instanceof Date ? created.getTime() / 1_000 : Number.NaN;
  if (alg !== undefined && alg !== ALGORITHM) return `alg must be ${ALGORITHM}`;
  if (!Number.isInteger(createdS)) return "created must be there, in whole seconds";
  if (typeof expires !== "number" || !Number.isInteger(expires)) return "expires must be there, in whole seconds";
  if (expires <= createdS || expires > createdS + SIGNATURE_LIFETIME_S)
    return `expires must be at most ${SIGNATURE_LIFETIME_S} s after created`;
  if (typeof nonce !== "string" || !NONCE.test(nonce)) return "nonce must be 8 to 128 visible ASCII characters";
  return { keyId: String(keyid), nonce, createdS, expiresS: expires };
}

/** A comma outside of strings parts the members of a structured field, those of the same name included. */
function hasSeveralMembers(field: string): boolean {
  return field.replace(/"(?:[^"\\]|\\.)*"/g, "").includes(",");
}

function sameSet(given: readonly string[], wanted: readonly string[]): boolean {
  return given.length === wanted.length && wanted.every((name) => given.includes(name));
}

function bad(why: string): Verification {
  return { kind: "bad_signature", why };
}
