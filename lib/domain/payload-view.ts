import { scanJson, unquote } from "./json-scan";
import type { Masking } from "./masking";
import { SecretWalk } from "./secret-walk";
import { type Token, tokens } from "./source-json";

/** Past this many characters a payload is not laid out: the page offers its head only. */
export const PAYLOAD_SHOWN_MAX = 262_144;

/** Past this depth a payload is shown as it is stored: laid out, a hundred thousand levels are megabytes of spaces. */
const DEPTH_LAID_OUT_MAX = 64;

export type Masked = { path: string; bytes: number };

/** Stands in the shown text where a secret was; the screen draws it as a chip. */
export const maskText = (bytes: number): string => `"‹redacted, ${bytes} bytes›"`;

export type PayloadView = { text: string; raw: string; masked: Masked[] };

const MASK = /^"‹redacted, (\d{1,9}) bytes›"$/;

/**
 * A payload as its page shows it: laid out (`text`) and as stored (`raw`), each with secrets masked and every other
 * value by its own characters. Null when the payload is not JSON: then nothing of it may be shown, as nobody can tell
 * where a secret stands in it.
 */
export function viewPayload(source: string, masking: Masking): PayloadView | null {
  return viewOf(source, masking, () => null);
}

/** As `viewPayload`, of a payload that was kept with its secrets masked: what is masked by now is masked, too. */
export function viewMasked(raw: string, masking: Masking): PayloadView | null {
  return viewOf(raw, masking, (text) => MASK.exec(text)?.[1] ?? null);
}

function viewOf(source: string, masking: Masking, keptBytes: (text: string) => string | null): PayloadView | null {
  const named = maskKeys(source, masking);
  const all = named === null ? null : tokens(named);
  if (named === null || all === null) return null;
  const masked: Masked[] = [];
  const shown = new Map<Token, string>();
  const walk = new SecretWalk(masking.paths);
  for (const token of all) {
    if (token.type === "open") walk.open();
    else if (token.type === "close") walk.close();
    else if (token.type === "key") walk.key(plainText(token.text));
    if (token.type !== "value") continue;
    const secret = isSecret(walk, token.text, masking);
    const kept = keptBytes(token.text);
    if (kept !== null) masked.push({ path: token.path, bytes: Number(kept) });
    else if (secret) {
      const bytes = bytesIn(token.text);
      masked.push({ path: token.path, bytes });
      shown.set(token, maskText(bytes));
    }
  }
  const raw = asStored(named, all, shown);
  return { text: depthOf(all) > DEPTH_LAID_OUT_MAX ? raw : layOut(all, shown), raw, masked };
}

/** Keys are texts, too: one that is an e-mail address is not shown, nor named by the path of what stands below it. */
function maskKeys(source: string, masking: Masking): string | null {
  const parts: string[] = [];
  let end = 0;
  const stopped = scanJson(source, {
    open() {},
    close() {},
    value() {},
    key(text, at) {
      if (!holdsSecret(text, masking)) return;
      parts.push(source.slice(end, at), maskText(bytesIn(text)));
      end = at + text.length;
    },
  });
  return stopped === null ? parts.join("") + source.slice(end) : null;
}

/** What an archive takes from a payload. `top`: strings of the outermost object by their keys, of a repeated key the last. */
export type MaskedPayload = { raw: string; secrets: string[]; top: Map<string, string> };

/**
 * A payload as stored, with its secrets masked, and these secrets: never to be shown, only looked for elsewhere. Null: it
 * is not JSON. In one pass without tokens, since an archive does it with each of many thousands.
 */
export function maskPayload(source: string, masking: Masking): MaskedPayload | null {
  const secrets = new Set<string>();
  const top = new Map<string, string>();
  const parts: string[] = [];
  const walk = new SecretWalk(masking.paths);
  let end = 0;
  let key = "";
  const mask = (text: string, at: number) => {
    parts.push(source.slice(end, at), maskText(bytesIn(text)));
    end = at + text.length;
  };
  const stopped = scanJson(source, {
    open: () => walk.open(),
    close: () => walk.close(),
    between: () => {},
    key(text, at) {
      // A key may be written with escapes, and is the same key then.
      const name = plainText(text);
      if (walk.depth === 1) key = name;
      walk.key(name);
      if (holdsSecret(text, masking)) mask(text, at);
    },
    value(text, at) {
      const quoted = text.startsWith('"');
      if (walk.depth === 1 && quoted) top.set(key, unquote(text));
      const below = walk.value(text);
      if (!below && !holdsSecret(text, masking)) return;
      mask(text, at);
      // What a pattern finds here, it finds wherever it is quoted.
      if (!below) return;
      // As it is, and as it stands in a text that quotes the payload.
      secrets.add(quoted ? text.slice(1, -1) : text);
      if (quoted) secrets.add(unquote(text));
    },
  });
  if (stopped !== null) return null;
  parts.push(source.slice(end));
  return { raw: parts.join(""), secrets: [...secrets], top };
}

/** A key or a string without its quotes and escapes. */
const plainText = (text: string) => (text.includes("\\") ? unquote(text) : text.slice(1, -1));

const bytesIn = (text: string) => new TextEncoder().encode(text).length - (text.startsWith('"') ? 2 : 0);

function isSecret(walk: SecretWalk, text: string, masking: Masking): boolean {
  return walk.value(text) || holdsSecret(text, masking);
}

/** Whether a key or a scalar, by its source text, is one of those that are masked for what they say. */
function holdsSecret(text: string, masking: Masking): boolean {
  if (!text.startsWith('"')) return /^-?\d/.test(text) && masking.find(text).length > 0;
  if (MASK.test(text)) return false;
  return masking.find(plainText(text)).length > 0;
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
