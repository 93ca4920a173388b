import { parse } from "lossless-json";

/** A number as its source text: JavaScript's own would turn 9007199254740993 into …992 and 1e400 into Infinity. */
export class NumberText {
  constructor(readonly text: string) {}
}

/**
 * Parses JSON and keeps every number as its source text. Of a key that occurs twice the last value counts, as in most
 * readers. Throws SyntaxError; nesting that exhausts the stack is told as such.
 */
export function parseJson(text: string): unknown {
  try {
    return parse(text, undefined, {
      parseNumber: (source) => new NumberText(source),
      onDuplicateKey: ({ newValue }) => newValue,
    });
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError("nested too deeply");
    throw error;
  }
}
