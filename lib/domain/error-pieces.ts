/**
 * What is variable in an error, and of which sort it is. SQLSTATE, status codes and the names of constraints, tables,
 * columns and functions are not. The fingerprint and the title of an error both come from here.
 */
export type PieceType = "url" | "uuid" | "time" | "host" | "value" | "path" | "hex" | "n" | "id";

/** Read of an error, in characters. An attempt keeps more of its own, so that it compares with a letter's whole error. */
const ERROR_MAX = 1_024;
/** A pass can bring together what the next one takes for one piece; more than this is nobody's error. */
const PASSES_MAX = 8;
/** Further down a stack stands who called, not what went wrong. */
const FRAMES_MAX = 3;

// Every repetition below is bounded or runs over one class of characters: no text makes it slow.
const NAMED =
  "table|constraint|column|relation|function|index|schema|type|role|database|sequence|view|parameter|trigger|property|command";
const KEPT = [
  new RegExp(`\\b(?:sub)?(?:${NAMED})s? (?:"[^"]{1,128}"|\`[^\`]{1,128}\`|'[\\p{L}_$][^\\s']{0,127}')`, "u"),
  // Names before or inside of what they are the names of: `'lpush' command`, `The "path" argument`, `(reading 'gold')`.
  /(?<!\w)(?:"[\p{L}_$][^\s"]{0,127}"|'[\p{L}_$][^\s']{0,127}')(?= (?:command|argument|property|parameter)\b)/u,
  /\bvalue of "[\p{L}_$][^\s"]{0,127}"/u,
  /\((?:reading|setting) '[\p{L}_$][^']{0,127}'\)/u,
  // Of zod's issues, as JSON: what was wrong, and where, but for the places in a list.
  /"(?:code|expected|origin|format)": "[a-z_]{1,64}"/,
  /"message": "[^"\d\\]{1,300}"/,
  /"path"(?=: \[)/,
  /"[\p{L}_]\w{0,63}"(?<="path": \[[^\]]{0,300})/u,
  /"(?:undefined|\[object [a-z]{1,40}\])"(?= is not valid json)/,
  /\b(?:error|fatal|panic|sqlstate|state|code)[ :=]{0,2}\[?(?:\d[\da-z]{4}|[a-z][\da-z]\d{3})(?![-\w.])/,
  /\b(?:http(?:\/\d(?:\.\d)?)?|status|status code|code)[ :=]{1,2}\d{3}(?![-\w.])/,
];
/** In this order, in which the first that fits wins. Names are those of groups: two of one sort are told apart by a digit. */
const VARIABLE: [string, RegExp][] = [
  ["url", /\b[a-z][a-z\d+.-]{1,15}:\/\/[^\s"'`<>]{1,500}/],
  ["uuid", /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/],
  ["time", /\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:z|utc|[+-]\d\d(?::?\d\d)?))?)?/],
  ["time2", /\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?/],
  ["host", /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/],
  ["host2", /(?<![\w:])\[?(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}\]?(?::\d{1,5})?(?![\w:])/],
  ["host3", /(?<=\bgetaddrinfo [a-z_]{3,20} )\S{1,255}/],
  ["value", /(?<==)\([^)]{0,500}\)/],
  // A whole row may hold brackets, and may be cut off before its last.
  ["value2", /\((?<=\bfailing row contains \()(?:.{0,1024}\)\.?|.{0,1024}$)/],
  // V8's excerpt of a text that is full of quotes itself.
  ["value3", /(?:\.{3})?"(?<=', (?:\.{3})?").{0,300}"(?:\.{3})?(?= is not valid json)/],
  // Sentences of V8 and undici that give a value without quotes.
  ["value4", /(?<=\bcannot convert ).{1,300}?(?= to a bigint\b)/],
  ["value5", /\/(?<=\binvalid regular expression: \/).{0,300}\/[a-z]{0,8}(?=: )/],
  ["value6", /(?<=\b(?:failed to parse url from|invalid (?:time zone specified|language tag):) )\S{1,300}/],
  ["path", /\/(?<=\b(?:connect|listen) e[a-z]{3,15}(?:: [a-z ]{1,60})? \/)\S{1,300}/],
  // An apostrophe inside of a word ends nothing: 'O'Hara'.
  ["quoted", /(?<!\w)(?:"[^"]{0,500}"|'(?:[^']|(?<=\p{L})'(?=\p{L})){0,500}'|`[^`]{0,500}`)(?!\w)/u],
  // A part of a word that holds a digit, or eight hex digits and more: of `zone_8f3a` only `8f3a`.
  ["word", /(?<![\p{L}\p{N}])(?:0x[\da-f]{1,64}|[\da-f]{8,64}|[\p{L}\p{N}]*?\p{N}[\p{L}\p{N}]*)(?![\p{L}\p{N}])/u],
];
const PIECE = new RegExp(
  [
    `(?<kept>${KEPT.map(({ source }) => source).join("|")})`,
    ...VARIABLE.map(([name, { source }]) => `(?<${name}>${source})`),
  ].join("|"),
  "giu",
);

/** A mark for each sort: one character that no pattern above takes for a letter, a digit or a blank. */
export type Marks = {
  of: (type: PieceType) => string;
  /** However long a list of values was, it is one. */
  list: RegExp;
};

/** The error with all that is variable in it marked. The same again for what it answers itself. */
export function markPieces(error: string, marks: Marks): string {
  let text = [...firstFrames(error.slice(0, ERROR_MAX * 2))].slice(0, ERROR_MAX).join("").replace(/\s+/g, " ").trim();
  const mark = (piece: string, groups: Record<string, string | undefined>) =>
    groups.kept === undefined ? marks.of(typeOf(piece, groups)) : piece;
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const next = text
      .replace(PIECE, (piece, ...rest) => mark(piece, rest.at(-1)))
      .replace(marks.list, (list) => list.charAt(0));
    if (next === text) break;
    text = next;
  }
  return text;
}

/** A stack is told by its indented lines. */
function firstFrames(text: string): string {
  let frames = 0;
  if (!/\n\s{1,16}at /.test(text)) return text;
  return text
    .split("\n")
    .filter((line) => !/^\s{1,16}at /.test(line) || ++frames <= FRAMES_MAX)
    .join("\n");
}

function typeOf(piece: string, groups: Record<string, string | undefined>): PieceType {
  if (groups.word !== undefined) {
    if (/^\p{N}+$/u.test(piece)) return "n";
    return /^(?:0x[\da-f]+|[\da-f]{8,})$/i.test(piece) ? "hex" : "id";
  }
  if (groups.quoted !== undefined) return /^.(?:\.{0,2}\/|[a-z]:\\)/i.test(piece) ? "path" : "value";
  const name = VARIABLE.find(([each]) => groups[each] !== undefined)?.[0] ?? "value";
  return name.replace(/\d$/, "") as PieceType;
}
