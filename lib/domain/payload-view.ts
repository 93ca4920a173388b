import { scanJson, unquote } from "./json-scan";
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

/** What an archive takes from a payload. `top`: strings of the outermost object by their keys, of a repeated key the last. */
export type MaskedPayload = { raw: string; secrets: string[]; top: Map<string, string> };

/**
 * A payload as stored, with its secrets masked, and these secrets: never to be shown, only looked for elsewhere. Null: it
 * is not JSON. In one pass without tokens, since an archive does it with each of many thousands.
 */
export function maskPayload(source: string): MaskedPayload | null {
  const secrets = new Set<string>();
  const top = new Map<string, string>();
  const parts: string[] = [];
  const walk = new SecretWalk();
  let end = 0;
  let key = "";
  const stopped = scanJson(source, {
    open: () => walk.open(),
    close: () => walk.close(),
    between: () => {},
    key(text) {
      // A key may be written with escapes, and is the same key then.
      const name = text.includes("\\") ? unquote(text) : text.slice(1, -1);
      if (walk.depth === 1) key = name;
      walk.key(name);
    },
    value(text, at) {
      const quoted = text.startsWith('"');
      if (walk.depth === 1 && quoted) top.set(key, unquote(text));
      if (!walk.value(text)) return;
      const inside = quoted ? text.slice(1, -1) : text;
      parts.push(source.slice(end, at), maskText(new TextEncoder().encode(inside).length));
      end = at + text.length;
      // As it is, and as it stands in a text that quotes the payload.
      secrets.add(inside);
      if (quoted) secrets.add(unquote(text));
    },
  });
  if (stopped !== null) return null;
  parts.push(source.slice(end));
  return { raw: parts.join(""), secrets: [...secrets], top };
}

/** Tells, value by value in the order of the source, which stand below a secret key: also in an object or a list. */
class SecretWalk {
  depth = 0;
  private secretDepth: number | null = null;
  private secretNext = false;

  open(): void {
    this.depth += 1;
    if (this.secretNext && this.secretDepth === null) this.secretDepth = this.depth;
    this.secretNext = false;
  }
  close(): void {
    if (this.secretDepth === this.depth) this.secretDepth = null;
    this.depth -= 1;
  }
  /** A key, or a path that ends with it. */
  key(path: string): void {
    this.secretNext = isSecret(path);
  }
  value(text: string): boolean {
    const secret = (this.secretNext || this.secretDepth !== null) && text !== "null";
    this.secretNext = false;
    return secret;
  }
}

/** Payloads of one kind have the same few paths, and there are many of them. */
const secretPaths = new Map<string, boolean>();
const PATHS_KNOWN_MAX = 1_000;

function isSecret(path: string): boolean {
  const known = secretPaths.get(path);
  if (known !== undefined) return known;
  const secret = SECRET_KEYS.has(lastKeyOf(path));
  if (secretPaths.size >= PATHS_KNOWN_MAX) secretPaths.clear();
  secretPaths.set(path, secret);
  return secret;
}

type ValueToken = Extract<Token, { path: string }>;

/** Every scalar below a secret key. */
function* maskedTokens(all: Token[]): Generator<ValueToken> {
  const walk = new SecretWalk();
  for (const token of all) {
    if (token.type === "open") walk.open();
    else if (token.type === "close") walk.close();
    else if (token.type === "key") walk.key(token.path);
    else if (token.type === "value" && walk.value(token.text)) yield token;
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
