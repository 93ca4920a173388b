/**
 * JSON as source text. `JSON.parse` turns 9007199254740993 into …992, drops duplicate keys and throws at deep nesting
 * by exhausting the stack; what an operator looks at must be what is stored. So this scans tokens, with a loop, and
 * every value is shown by its own characters.
 */
export type Token =
  | { type: "open" | "close" | "comma" | "colon"; at: number; text: string }
  | { type: "key" | "value"; at: number; text: string; path: string; depth: number };

const BARE = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SPACE = /[ \t\r\n]*/y;

type Frame = { array: boolean; key: string; index: number };

/** The string token that starts at `from`, or null. By hand: a pattern would keep a way back for each character. */
function stringToken(source: string, from: number): string | null {
  for (let at = from + 1; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === 0x22) return source.slice(from, at + 1);
    if (code < 0x20) return null;
    if (code !== 0x5c) continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(source)) return null;
    at = ESCAPE.lastIndex - 1;
  }
  return null;
}

function scalarToken(source: string, at: number): string | null {
  if (source[at] === '"') return stringToken(source, at);
  BARE.lastIndex = at;
  return BARE.exec(source)?.[0] ?? null;
}

function pathOf(frames: Frame[]): string {
  // Deep nesting would make each path as long as the nesting: the last eight steps are enough to name a field.
  const steps = frames.slice(-8).map((frame) => (frame.array ? `[${frame.index}]` : frame.key));
  return steps.join(".").replaceAll(".[", "[");
}

/** The tokens of a JSON text, or null when it is not JSON (as RFC 8259 has it). */
export function tokens(source: string): Token[] | null {
  const out: Token[] = [];
  const frames: Frame[] = [];
  let at = 0;
  let expect: "value" | "first" | "key" | "colon" | "next" = "value";
  for (;;) {
    SPACE.lastIndex = at;
    SPACE.exec(source);
    at = SPACE.lastIndex;
    const char = source[at];
    if (char === undefined) return expect === "next" && frames.length === 0 ? out : null;
    const frame = frames.at(-1);
    const closes = frame !== undefined && char === (frame.array ? "]" : "}");
    if (closes && (expect === "next" || expect === "first")) {
      frames.pop();
      out.push({ type: "close", at, text: char });
      at += 1;
      expect = "next";
      continue;
    }
    if (expect === "next") {
      if (char !== "," || frame === undefined) return null;
      out.push({ type: "comma", at, text: char });
      at += 1;
      frame.index += 1;
      expect = frame.array ? "value" : "key";
      continue;
    }
    if (expect === "colon") {
      if (char !== ":") return null;
      out.push({ type: "colon", at, text: char });
      at += 1;
      expect = "value";
      continue;
    }
    const wantsKey = expect === "key" || (expect === "first" && frame?.array === false);
    if (!wantsKey && (char === "{" || char === "[")) {
      out.push({ type: "open", at, text: char });
      frames.push({ array: char === "[", key: "", index: 0 });
      at += 1;
      expect = "first";
      continue;
    }
    const text = scalarToken(source, at);
    if (text === null || (wantsKey && text[0] !== '"')) return null;
    if (wantsKey && frame) {
      frame.key = unquote(text);
      out.push({ type: "key", at, text, path: pathOf(frames), depth: frames.length });
      expect = "colon";
    } else {
      out.push({ type: "value", at, text, path: pathOf(frames), depth: frames.length });
      expect = "next";
    }
    at += text.length;
  }
}

/** The characters of a JSON string token; a lone surrogate stays one. */
export function unquote(text: string): string {
  return JSON.parse(text) as string;
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
