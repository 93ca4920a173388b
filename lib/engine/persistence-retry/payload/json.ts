import { scanJson, unquote } from "@/lib/domain/json-scan";

/** A number as its source text: JavaScript's own would turn 9007199254740993 into …992 and 1e400 into Infinity. */
export class NumberText {
  constructor(readonly text: string) {}
}

type Container = unknown[] | Record<string, unknown>;

/**
 * Parses JSON and keeps every number as its source text. Of a key that occurs twice the last value counts, as in most
 * readers. However large and however deep: what is in a payload must not keep it from being decoded. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  const stack: Container[] = [];
  const keys: string[] = [];
  let root: unknown;
  const put = (value: unknown) => {
    const into = stack.at(-1);
    if (into === undefined) root = value;
    else if (Array.isArray(into)) into.push(value);
    else setOwn(into, keys.at(-1) ?? "", value);
  };
  const stopped = scanJson(text, {
    open(array) {
      const made: Container = array ? [] : {};
      put(made);
      stack.push(made);
      keys.push("");
    },
    close() {
      stack.pop();
      keys.pop();
    },
    key(source) {
      keys[keys.length - 1] = unquote(source);
    },
    value(source) {
      put(scalar(source));
    },
  });
  if (stopped !== null) throw new SyntaxError(`it stops being JSON at character ${stopped}`);
  return root;
}

function scalar(source: string): unknown {
  const first = source[0];
  if (first === '"') return unquote(source);
  return first === "t" || first === "f" || first === "n" ? JSON.parse(source) : new NumberText(source);
}

/** `__proto__` is a key like any other. */
function setOwn(into: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
  else into[key] = value;
}
