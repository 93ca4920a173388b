import { maskText } from "@/lib/domain/payload-view";
import { type Token, tokens } from "@/lib/domain/source-json";

/** A piece of a line: `k` key, `s` string, `n` number or word, `p` punctuation and space, `redacted` a chip. */
export type Part = { kind: "k" | "s" | "n" | "p" | "redacted"; text: string; path?: string };
export type Line = { number: number; parts: Part[]; marked: boolean };
export type Masked = { path: string; bytes: number };

function kindOf(token: Token, masked: readonly Masked[]): Part["kind"] {
  if (token.type === "key") return "k";
  if (token.type !== "value") return "p";
  const redacted = masked.some((each) => each.path === token.path && maskText(each.bytes) === token.text);
  if (redacted) return "redacted";
  return token.text.startsWith('"') ? "s" : "n";
}

/** Tokens that are coloured; what comes after them is one piece. A page must not grow by an element a bracket. */
const COLOURED_MAX = 10_000;

/** The pieces of masked JSON text in their order, spaces included; null when it is not JSON. */
function partsOf(text: string, masked: readonly Masked[]): Part[] | null {
  const all = tokens(text);
  if (!all) return null;
  const parts: Part[] = [];
  const plain = (piece: string) => {
    const last = parts.at(-1);
    if (last?.kind === "p") last.text += piece;
    else if (piece) parts.push({ kind: "p", text: piece });
  };
  let at = 0;
  for (const token of all.slice(0, COLOURED_MAX)) {
    plain(text.slice(at, token.at));
    const kind = kindOf(token, masked);
    if (kind === "p") plain(token.text);
    else if ("path" in token) parts.push({ kind, text: token.text, path: token.path });
    at = token.at + token.text.length;
  }
  plain(text.slice(at));
  return parts;
}

/**
 * Masked source text as coloured lines. `mark` names fields that a requeue would write, whole (`gold`) or by their
 * parent (`position`): their lines are set off, down to the bracket that closes them.
 */
export function payloadLines(text: string, masked: readonly Masked[], mark: readonly string[] = []): Line[] {
  const lines: Line[] = [{ number: 1, parts: [], marked: false }];
  for (const part of partsOf(text, masked) ?? [{ kind: "p" as const, text }]) {
    for (const [index, piece] of part.text.split("\n").entries()) {
      if (index > 0) lines.push({ number: lines.length + 1, parts: [], marked: false });
      if (piece) lines.at(-1)?.parts.push({ ...part, text: piece });
    }
  }
  let marking = false;
  let startIndent = 0;
  for (const line of lines) {
    const whole = line.parts.map((part) => part.text).join("");
    const indent = whole.length - whole.trimStart().length;
    const path = line.parts.find((part) => part.path !== undefined)?.path;
    const names = path?.split(/[.[]/) ?? [];
    const named = path !== undefined && mark.some((field) => names.includes(field));
    if (named && !marking) startIndent = indent;
    // A line without a value closes a bracket: it still belongs to the field that it closes.
    marking = path === undefined ? marking && indent >= startIndent : named;
    line.marked = marking;
  }
  return lines;
}
