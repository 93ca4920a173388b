import { maskText } from "@/lib/domain/payload-view";
import { type Token, tokens } from "@/lib/domain/source-json";

/** A piece of a line: `k` key, `s` string, `n` number or word, `p` punctuation and space, `redacted` a chip. */
export type Part = { kind: "k" | "s" | "n" | "p" | "redacted"; text: string };
export type Line = { number: number; parts: Part[]; marked: boolean };
export type Masked = { path: string; bytes: number };

function kindOf(token: Token, masked: readonly Masked[]): Part["kind"] {
  if (token.type === "key") return "k";
  if (token.type !== "value") return "p";
  const redacted = masked.some((each) => each.path === token.path && maskText(each.bytes) === token.text);
  if (redacted) return "redacted";
  return token.text.startsWith('"') ? "s" : "n";
}

/** The pieces of masked JSON text in their order, spaces included; null when it is not JSON. */
function partsOf(text: string, masked: readonly Masked[]): Part[] | null {
  const all = tokens(text);
  if (!all) return null;
  const parts: Part[] = [];
  let at = 0;
  for (const token of all) {
    if (token.at > at) parts.push({ kind: "p", text: text.slice(at, token.at) });
    parts.push({ kind: kindOf(token, masked), text: token.text });
    at = token.at + token.text.length;
  }
  return parts;
}

/**
 * Masked source text as coloured lines. `mark` names top-level fields that a requeue would write: their lines are set
 * off, down to the bracket that closes them.
 */
export function payloadLines(text: string, masked: readonly Masked[], mark: readonly string[] = []): Line[] {
  const lines: Line[] = [{ number: 1, parts: [], marked: false }];
  for (const part of partsOf(text, masked) ?? [{ kind: "p" as const, text }]) {
    for (const [index, piece] of part.text.split("\n").entries()) {
      if (index > 0) lines.push({ number: lines.length + 1, parts: [], marked: false });
      if (piece) lines.at(-1)?.parts.push({ kind: part.kind, text: piece });
    }
  }
  let marking = false;
  for (const line of lines) {
    const whole = line.parts.map((part) => part.text).join("");
    const indent = whole.length - whole.trimStart().length;
    if (indent === 2) {
      const key = line.parts.find((part) => part.kind === "k")?.text.slice(1, -1);
      marking = key === undefined ? marking : mark.includes(key);
    }
    line.marked = marking && indent >= 2;
  }
  return lines;
}
