import { randomBytes } from "node:crypto";
import { COVERED, derivedComponents, OPAQUE, type RpcMethod } from "./components";
import { contentDigest } from "./digest";
import type { RpcKey } from "./keys";
import { SIGNATURE_LIFETIME_S } from "./limits";
import { ALGORITHM, signComponents } from "./signature";

export type ToSign = {
  method: RpcMethod;
  /** Path and query as they will be sent. */
  target: string;
  audience: string;
  key: RpcKey;
  /** An opaque id of who clicked. */
  actor: string;
  /** POST only. */
  idempotencyKey?: string;
  body?: Uint8Array;
  nowMs: number;
  nonce?: string;
};

export type Signed = {
  headers: Record<string, string>;
  /** The signature's `expires`: until then, on the store's clock, what was sent could still be accepted. */
  sendableUntilMs: number;
};

/**
 * Makes the headers of one try: a fresh nonce and a fresh `created` each time.
 * Throws when a header value could not be sent as it is.
 */
export async function signRequest(input: ToSign): Promise<Signed> {
  const createdS = Math.floor(input.nowMs / 1_000);
  const expiresS = createdS + SIGNATURE_LIFETIME_S;
  const fields: Record<string, string> = { "backstop-actor": opaque("actor", input.actor) };
  if (input.method === "POST") {
    fields["idempotency-key"] = opaque("idempotency key", input.idempotencyKey ?? "");
    fields["content-digest"] = contentDigest(input.body ?? new Uint8Array());
  }
  const values = { ...derivedComponents(input), ...fields };
  const signature = await signComponents({
    key: input.key,
    label: "backstop",
    components: Object.fromEntries(
      COVERED[input.method].map((name) => [name, values[name as keyof typeof values] ?? ""]),
    ),
    params: {
      created: new Date(createdS * 1_000),
      expires: new Date(expiresS * 1_000),
      nonce: input.nonce ?? randomBytes(18).toString("base64url"),
      alg: ALGORITHM,
    },
  });
  return { headers: { ...fields, ...signature }, sendableUntilMs: expiresS * 1_000 };
}

function opaque(what: string, value: string): string {
  if (!OPAQUE.test(value)) throw new Error(`the ${what} must be 1 to 128 visible ASCII characters`);
  return value;
}
