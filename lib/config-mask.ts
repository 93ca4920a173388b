import { RE2JS } from "re2js";
import { BUILT_IN } from "@/lib/domain/mask-finders";
import { type Masking, type MaskPath, parseMaskPath, type Span } from "@/lib/domain/masking";

const PATHS_MAX = 50;
const PATTERNS_MAX = 20;
const PATTERN_LENGTH_MAX = 500;

/** Paths separated by commas, as `parseMaskPath` reads them. Null: one of them is wrong, or there are more than 50. */
export function parseMaskPaths(text: string): MaskPath[] | null {
  const paths = entriesOf(text, ",").map(parseMaskPath);
  return paths.length <= PATHS_MAX && paths.every((path) => path !== null) ? paths : null;
}

/**
 * Patterns, one a line, as one program: RE2's syntax, which leaves out what needs a way back (lookaround and
 * backreferences), and is matched in time proportional to the text, whatever the pattern. Null: one of them is wrong,
 * matches the empty text, or is longer than 500 characters, or there are more than 20.
 */
export function parseMaskPatterns(text: string): RE2JS | null {
  const patterns = entriesOf(text, "\n");
  if (patterns.length > PATTERNS_MAX || patterns.some((pattern) => pattern.length > PATTERN_LENGTH_MAX)) return null;
  try {
    for (const pattern of patterns) if (RE2JS.compile(pattern).matcher("").find()) return null;
    return RE2JS.compile(patterns.map((pattern) => `(?:${pattern})`).join("|"));
  } catch {
    return null;
  }
}

/** The built-in rules and those of the environment, which has been judged. Throws where it is wrong after all. */
export function maskingOf(paths: string | undefined, patterns: string | undefined): Masking {
  const program = patterns ? parseMaskPatterns(patterns) : undefined;
  const more = paths ? parseMaskPaths(paths) : [];
  if (program === null || more === null) throw new Error("BACKSTOP_MASK_PATHS or BACKSTOP_MASK_PATTERNS is wrong.");
  return {
    paths: [...BUILT_IN.paths, ...more],
    find: program ? (text) => [...BUILT_IN.find(text), ...spansOf(program, text)] : BUILT_IN.find,
  };
}

function spansOf(program: RE2JS, text: string): Span[] {
  const spans: Span[] = [];
  const matcher = program.matcher(text);
  while (matcher.find()) if (matcher.end() > matcher.start()) spans.push([matcher.start(), matcher.end()]);
  return spans;
}

const entriesOf = (text: string, separator: string) =>
  text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
