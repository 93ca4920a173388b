/**
 * What two errors have in common when one cause made both: ids, numbers, times, addresses, quoted values and the
 * variable parts of paths become `#`; SQLSTATE, status codes and the names of constraints, tables, columns and
 * functions stay. A change of these rules raises the version, so that fingerprints of two rules are never compared.
 */
const VERSION = 1;

/** Read of an error, in characters. An attempt keeps more of its own, so that it compares with a letter's whole error. */
const ERROR_MAX = 1_024;
/** A pass can bring together what the next one takes for one piece; more than this is nobody's error. */
const PASSES_MAX = 8;

// Every repetition below is bounded or runs over one class of characters: no text makes it slow.
const KEPT = [
  /\b(?:table|constraint|column|relation|function|index|schema|type|role|database|sequence|view|parameter|trigger)s? (?:"[^"]{1,128}"|`[^`]{1,128}`)/,
  /\b(?:error|fatal|panic|sqlstate|state|code)[ :=]{0,2}\[?(?:\d[\da-z]{4}|[a-z][\da-z]\d{3})(?![-\w.])/,
  /\b(?:http(?:\/\d(?:\.\d)?)?|status|status code|code)[ :=]{1,2}\d{3}(?![-\w.])/,
];
const VARIABLE = [
  /\b[a-z][a-z\d+.-]{1,15}:\/\/[^\s"'`<>]{1,500}/,
  /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/,
  /\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:z|utc|[+-]\d\d(?::?\d\d)?))?)?/,
  /\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?/,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/,
  /(?<![\w:])\[?(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}\]?(?::\d{1,5})?(?![\w:])/,
  /(?<==)\([^)]{0,500}\)/,
  /(?<!\w)(?:"[^"]{0,500}"|'[^']{0,500}'|`[^`]{0,500}`)(?!\w)/,
  // A part of a word that holds a digit, or eight hex digits and more: of `zone_8f3a` only `8f3a`.
  /(?<![\p{L}\p{N}])(?:0x[\da-f]{1,64}|[\da-f]{8,64}|[\p{L}\p{N}]*?\p{N}[\p{L}\p{N}]*)(?![\p{L}\p{N}])/u,
];
const any = (patterns: RegExp[]) => patterns.map(({ source }) => source).join("|");
const PIECE = new RegExp(`(?<kept>${any(KEPT)})|${any(VARIABLE)}`, "giu");
/** However long a list of values was. */
const LIST = /#(?:[\s,;.-]{0,4}#)+/g;

/** The error with all that is variable in it taken out. The same again for what it answers itself. */
export function normalisedError(error: string): string {
  let text = [...error.slice(0, ERROR_MAX * 2)].slice(0, ERROR_MAX).join("").replace(/\s+/g, " ").trim();
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const next = text.replace(PIECE, (piece, kept?: string) => (kept === undefined ? "#" : piece)).replace(LIST, "#");
    if (next === text) break;
    text = next;
  }
  return text;
}

/** Equal for two errors of one cause, as far as their texts tell. */
export function fingerprint(error: string): string {
  return `${VERSION}:${normalisedError(error)}`;
}
