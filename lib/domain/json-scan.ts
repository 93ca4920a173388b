/**
 * What a scan meets, in the order of the text: `at` is where, `text` the source text of a key or a scalar. A visitor
 * keeps what it needs; a text of 20 MB is scanned in a fraction of a second, and nesting costs no stack.
 */
export type JsonVisitor = {
  open(array: boolean, at: number): void;
  close(at: number): void;
  key(text: string, at: number): void;
  value(text: string, at: number): void;
  /** A comma or a colon. */
  between?(char: "," | ":", at: number): void;
};

const BARE = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SPACE = /[ \t\r\n]*/y;

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

/** Scans a JSON text (RFC 8259). Null: it is one, to its end; else where it stops being one. */
export function scanJson(source: string, visitor: JsonVisitor): number | null {
  /** For each open bracket, whether it is a list's. */
  const arrays: boolean[] = [];
  let at = 0;
  let expect: "value" | "first" | "key" | "colon" | "next" = "value";
  for (;;) {
    SPACE.lastIndex = at;
    SPACE.exec(source);
    at = SPACE.lastIndex;
    const char = source[at];
    const array = arrays.at(-1);
    if (char === undefined) return expect === "next" && array === undefined ? null : at;
    if (array !== undefined && char === (array ? "]" : "}") && (expect === "next" || expect === "first")) {
      arrays.pop();
      visitor.close(at);
      at += 1;
      expect = "next";
    } else if (expect === "next" || expect === "colon") {
      const wanted: "," | ":" = expect === "next" ? "," : ":";
      if (char !== wanted || array === undefined) return at;
      visitor.between?.(wanted, at);
      at += 1;
      expect = wanted === ":" || array ? "value" : "key";
    } else if ((char === "{" || char === "[") && expect !== "key" && !(expect === "first" && array === false)) {
      arrays.push(char === "[");
      visitor.open(char === "[", at);
      at += 1;
      expect = "first";
    } else {
      const key: boolean = expect === "key" || (expect === "first" && array === false);
      const text = scalarToken(source, at);
      if (text === null || (key && text[0] !== '"')) return at;
      if (key) visitor.key(text, at);
      else visitor.value(text, at);
      at += text.length;
      expect = key ? "colon" : "next";
    }
  }
}

/** The characters of a JSON string token; a lone surrogate stays one. */
export function unquote(text: string): string {
  return JSON.parse(text) as string;
}
