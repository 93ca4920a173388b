import { scanJson, unquote } from "./json-scan";

/**
 * JSON as source text. `JSON.parse` turns 9007199254740993 into …992 and drops duplicate keys; what an operator looks at
 * must be what is stored. So every value is shown by its own characters.
 */
export type Token =
  | { type: "open" | "close" | "comma" | "colon"; at: number; text: string }
  | { type: "key" | "value"; at: number; text: string; path: string; depth: number };

type Frame = { array: boolean; key: string; index: number };

function pathOf(frames: Frame[]): string {
  // Deep nesting would make each path as long as the nesting: the last eight steps are enough to name a field.
  const steps = frames.slice(-8).map((frame) => (frame.array ? `[${frame.index}]` : frame.key));
  return steps.join(".").replaceAll(".[", "[");
}

/** The tokens of a JSON text, or null when it is not JSON (as RFC 8259 has it). */
export function tokens(source: string): Token[] | null {
  const out: Token[] = [];
  const frames: Frame[] = [];
  const stopped = scanJson(source, {
    open(array, at) {
      out.push({ type: "open", at, text: array ? "[" : "{" });
      frames.push({ array, key: "", index: 0 });
    },
    close(at) {
      out.push({ type: "close", at, text: frames.pop()?.array ? "]" : "}" });
    },
    key(text, at) {
      const frame = frames.at(-1);
      if (frame) frame.key = unquote(text);
      out.push({ type: "key", at, text, path: pathOf(frames), depth: frames.length });
    },
    value(text, at) {
      out.push({ type: "value", at, text, path: pathOf(frames), depth: frames.length });
    },
    between(char, at) {
      out.push({ type: char === "," ? "comma" : "colon", at, text: char });
      const frame = frames.at(-1);
      if (frame && char === ",") frame.index += 1;
    },
  });
  return stopped === null ? out : null;
}

/** The source text of the first value at a path such as `idempotency.key`; null when there is none. */
export function sourceAt(all: Token[], path: string): string | null {
  const found = all.find((token) => token.type === "value" && token.path === path);
  return found?.text ?? null;
}

/** The string at a path; null when there is none or it is not a string. */
export function stringAt(all: Token[], path: string): string | null {
  const text = sourceAt(all, path);
  return text?.startsWith('"') ? unquote(text) : null;
}
