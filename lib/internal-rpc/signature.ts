import { createSigner, createVerifier, httpbis } from "http-message-signatures";
import type { RpcKey } from "./keys";

/** The one algorithm; what a request says of its own is compared with it, never followed. */
export const ALGORITHM = "hmac-sha256";

export type SignatureHeaders = { signature: string; "signature-input": string };

/**
 * Signs component values as they are given (RFC 9421). `components` are signed in their order, `params` likewise.
 * The values never pass through a URL parser, so that both sides sign the same bytes.
 */
export async function signComponents(input: {
  key: RpcKey;
  label: string;
  components: Record<string, string>;
  params: { created: Date; expires?: Date; nonce?: string; alg?: string };
}): Promise<SignatureHeaders> {
  const { key, label, components, params } = input;
  const signed: { headers: Record<string, unknown> } = await httpbis.signMessage(
    {
      key: createSigner(key.secret, ALGORITHM, key.id),
      name: label,
      fields: Object.keys(components),
      params: ["created", "expires", "nonce", "keyid", "alg"].filter((name) => name === "keyid" || name in params),
      paramValues: params,
      componentParser: (name) => [componentValue(components, name)],
    },
    { method: "POST", url: "", headers: {} },
  );
  return {
    signature: String(signed.headers.Signature),
    "signature-input": String(signed.headers["Signature-Input"]),
  };
}

/** What a signature says of itself, as it was parsed. Nothing of it is checked yet. */
export type SignatureParams = Record<string, unknown>;

export type ComponentsVerdict = {
  /** The HMAC is right. Null: the key lookup gave no key. */
  authentic: boolean | null;
  /** Covered components in their order, parameters of a component included. */
  covered: string[];
  params: SignatureParams;
};

/**
 * Verifies the HMAC of a signature over component values; judges neither the covered set nor any time.
 * Throws when the headers do not parse or a component has no value.
 */
export async function verifyComponents(input: {
  headers: SignatureHeaders;
  components: Record<string, string>;
  findKey: (params: SignatureParams) => RpcKey | null;
}): Promise<ComponentsVerdict> {
  const covered: string[] = [];
  let params: SignatureParams = {};
  const authentic = await httpbis.verifyMessage(
    {
      keyLookup: async (given) => {
        params = { ...given };
        const key = input.findKey(params);
        return key && { id: key.id, verify: createVerifier(key.secret, ALGORITHM) };
      },
      // The library would judge times by this process's clock. The store's clock decides, where the nonce is used up.
      tolerance: Number.MAX_SAFE_INTEGER,
      componentParser: (name, fieldParams) => {
        covered.push([name, ...fieldParams.keys()].join(";"));
        return [componentValue(input.components, name)];
      },
    },
    { method: "POST", url: "", headers: input.headers },
  );
  return { authentic, covered, params };
}

function componentValue(components: Record<string, string>, name: string): string {
  const value = components[name];
  if (value === undefined) throw new Error(`the component ${name} has no value here`);
  return value;
}
