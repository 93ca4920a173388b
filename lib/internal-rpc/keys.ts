import { createSecretKey, type KeyObject } from "node:crypto";
import { looksLikeSample } from "./sample-keys";

/** A shared key. The secret is a KeyObject, which prints as nothing, so that no log line can hold it. */
export type RpcKey = { id: string; secret: KeyObject };

/** One or two keys; the first signs, both are accepted. */
export type RpcKeys = readonly [RpcKey, ...RpcKey[]];

const KEY_BYTES_MIN = 24;
const KEYS_MAX = 2;
const KEY_ID = /^[A-Za-z0-9._-]{1,64}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * Parses `id:base64[,id:base64]` (the value of BACKSTOP_RPC_KEYS).
 * Throws when a key is short, a sample, repeated or not base64, naming its place and never its text.
 */
export function parseRpcKeys(text: string): RpcKeys {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.length > KEYS_MAX) throw new Error(`BACKSTOP_RPC_KEYS: at most ${KEYS_MAX} keys may be active.`);
  const [first, ...rest] = parts.map(parseKey);
  if (!first) throw new Error("BACKSTOP_RPC_KEYS is empty: it must be id:base64[,id:base64].");
  const ids = new Set([first, ...rest].map((key) => key.id));
  if (ids.size !== parts.length) throw new Error("BACKSTOP_RPC_KEYS: two keys have the same id.");
  return [first, ...rest];
}

function parseKey(part: string, index: number): RpcKey {
  const at = `BACKSTOP_RPC_KEYS: key ${index + 1}`;
  const colon = part.indexOf(":");
  const id = part.slice(0, Math.max(colon, 0));
  const encoded = part.slice(colon + 1);
  // The id is not named either: a key pasted without its id would be printed as one.
  if (colon < 0 || !KEY_ID.test(id)) throw new Error(`${at} has no id: it must be id:base64.`);
  if (!BASE64.test(encoded)) throw new Error(`${at} is not base64.`);
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.length < KEY_BYTES_MIN) throw new Error(`${at} is shorter than ${KEY_BYTES_MIN} bytes.`);
  if (looksLikeSample(bytes, encoded)) throw new Error(`${at} is a sample value. Make one: openssl rand -base64 32`);
  return { id, secret: createSecretKey(bytes) };
}

/** The key of an id, or null when no active key has it. */
export function findKey(keys: RpcKeys, id: string): RpcKey | null {
  return keys.find((key) => key.id === id) ?? null;
}
