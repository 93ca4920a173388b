import { unquote } from "./json-scan";
import { type Token, tokens } from "./source-json";

/** A value that is never shown: its key, whatever its depth. */
const SECRET_KEYS = new Set(["sessiontoken"]);

/** Past this many characters a payload is not laid out: the page offers its head only. */
export const PAYLOAD_SHOWN_MAX = 262_144;

/** Past this depth a payload is shown as it is stored: laid out, a hundred thousand levels are megabytes of spaces. */
const DEPTH_LAID_OUT_MAX = 64;

export type Masked = { path: string; bytes: number };

/** Stands in the shown text where a secret was; the screen draws it as a chip. */
export const maskText = (bytes: number): string => `"‹redacted, ${bytes} bytes›"`;

export type PayloadView = { text: string; raw: string; masked: Masked[] };

/** The key that a path ends with, however its writer spells it: session_token, sessionToken, Session-Token. */
function lastKeyOf(path: string): string {
  const key =
    path
      .replace(/(\[\d+\])+$/, "")
      .split(".")
      .findLast(Boolean) ?? "";
  return key.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/**
 * A payload as its page shows it: laid out (`text`) and as stored (`raw`), each with secrets masked and every other
 * value by its own characters. Null when the payload is not JSON: then nothing of it may be shown, as nobody can tell
 * where a secret stands in it.
 */
export function viewPayload(source: string): PayloadView | null {
  const all = tokens(source);
  if (all === null) return null;
  const masked: Masked[] = [];
  const shown = new Map<Token, string>();
  for (const token of maskedTokens(all)) {
    const bytes = new TextEncoder().encode(token.text).length - (token.text.startsWith('"') ? 2 : 0);
    masked.push({ path: token.path, bytes });
    shown.set(token, maskText(bytes));
  }
  const raw = asStored(source, all, shown);
  return { text: depthOf(all) > DEPTH_LAID_OUT_MAX ? raw : layOut(all, shown), raw, masked };
}

const MASK = /^"‹redacted, (\d+) bytes›"$/;

/** As `viewPayload`, of a payload that was kept with its secrets masked. */
export function viewMasked(raw: string): PayloadView | null {
  const all = tokens(raw);
  if (all === null) return null;
  const masked = all.flatMap((token) => {
    const bytes = token.type === "value" ? MASK.exec(token.text)?.[1] : undefined;
    return token.type === "value" && bytes ? [{ path: token.path, bytes: Number(bytes) }] : [];
  });
  return { text: depthOf(all) > DEPTH_LAID_OUT_MAX ? raw : layOut(all, new Map()), raw, masked };
}

/** A payload as stored, with its secrets masked, and these secrets: never to be shown, only looked for elsewhere. */
export function maskPayload(source: string, all: Token[]): { raw: string; secrets: string[] } {
  const shown = new Map<Token, string>();
  const secrets = new Set<string>();
  for (const token of maskedTokens(all)) {
    const text = token.text.startsWith('"') ? token.text.slice(1, -1) : token.text;
    shown.set(token, maskText(new TextEncoder().encode(text).length));
    // As it is, and as it stands in a text that quotes the payload.
    secrets.add(text);
    if (token.text.startsWith('"')) secrets.add(unquote(token.text));
  }
  return { raw: asStored(source, all, shown), secrets: [...secrets] };
}

type ValueToken = Extract<Token, { path: string }>;

/** Every scalar below a secret key, also where it is wrapped in an object or a list. */
function* maskedTokens(all: Token[]): Generator<ValueToken> {
  let secretDepth: number | null = null;
  let depth = 0;
  let secretNext = false;
  for (const token of all) {
    if (token.type === "open") {
      depth += 1;
      if (secretNext && secretDepth === null) secretDepth = depth;
      secretNext = false;
    } else if (token.type === "close") {
      if (secretDepth === depth) secretDepth = null;
      depth -= 1;
    } else if (token.type === "key") {
      secretNext = SECRET_KEYS.has(lastKeyOf(token.path));
    } else if (token.type === "value") {
      if ((secretNext || secretDepth !== null) && token.text !== "null") yield token;
      secretNext = false;
    }
  }
}

function depthOf(all: Token[]): number {
  let depth = 0;
  let deepest = 0;
  for (const token of all) {
    if (token.type === "open") depth += 1;
    if (token.type === "close") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function asStored(source: string, all: Token[], shown: Map<Token, string>): string {
  const parts: string[] = [];
  let at = 0;
  for (const token of all) {
    const mask = shown.get(token);
    if (mask === undefined) continue;
    parts.push(source.slice(at, token.at), mask);
    at = token.at + token.text.length;
  }
  parts.push(source.slice(at));
  return parts.join("");
}

function layOut(all: Token[], shown: Map<Token, string>): string {
  const parts: string[] = [];
  let depth = 0;
  const line = () => parts.push("\n", "  ".repeat(depth));
  for (const [index, token] of all.entries()) {
    const previous = all[index - 1];
    if (token.type === "close") {
      depth -= 1;
      if (previous?.type !== "open") line();
    } else if (previous?.type === "open" || previous?.type === "comma") {
      line();
    }
    parts.push(token.type === "colon" ? ": " : (shown.get(token) ?? token.text));
    if (token.type === "open") depth += 1;
  }
  return parts.join("");
}
