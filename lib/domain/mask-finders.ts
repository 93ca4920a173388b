import { cardSpans } from "./card-number";
import type { Masking, Span } from "./masking";

// Every repetition is bounded, or looks at characters that nothing before it could have taken: none of these can take
// longer than the text times a constant.

// A session token that a text names: `session_token=…`, `"sessionToken": "…"`, `session token …`.
const NAMED = /session[\s_-]?token["'\\]{0,4}\s{0,8}(?:[=:]|is|was)?\s{0,8}["'\\]{0,4}([^\s"'\\,;)}\]]{6,})/gi;
// The key of a session, which Redis likes to quote.
const KEY = /\bsession:(?:active|resume):([^\s"'\\,;)}\]]{6,})/gi;
const BEARER = /\bbearer\s{1,4}([A-Za-z0-9._~+/=-]{8,})/gi;

function tokenSpans(text: string): Span[] {
  return [NAMED, KEY, BEARER].flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match): Span => {
      const end = match.index + match[0].length;
      return [end - (match[1]?.length ?? 0), end];
    }),
  );
}

const AT = /@|%40/g;
const LOCAL_MAX = 64;
const LOCAL = /[\p{L}\p{N}._%+-]+$/u;
const DOMAIN = /(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}/uy;

/** From each at sign outwards: a pattern would try each character before it anew. */
function emailSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (const { index, 0: sign } of text.matchAll(AT)) {
    const local = LOCAL.exec(text.slice(Math.max(0, index - LOCAL_MAX), index))?.[0];
    if (local === undefined) continue;
    DOMAIN.lastIndex = index + sign.length;
    const domain = DOMAIN.exec(text)?.[0];
    if (domain !== undefined) spans.push([index - local.length, index + sign.length + domain.length]);
  }
  return spans;
}

const TOKEN_LIKELY = /session|bearer/i;
const CARD_LIKELY = /\d{4}[ -]?\d{4}/;

/**
 * What is masked without being asked for: session tokens that a text names, e-mail addresses, card-like numbers. Nearly
 * all keys and values hold none, and are passed with a look.
 */
export function findBuiltIn(text: string): Span[] {
  return [
    ...(TOKEN_LIKELY.test(text) ? tokenSpans(text) : []),
    ...(text.includes("@") || text.includes("%40") ? emailSpans(text) : []),
    ...(text.length >= 13 && CARD_LIKELY.test(text) ? cardSpans(text) : []),
  ];
}

/** What is masked where nobody has asked for more. */
const SESSION_TOKEN = [["sessiontoken"], ["sessiontokens"], ["session", "token"]];
export const BUILT_IN: Masking = {
  paths: SESSION_TOKEN.map((keys) => ({ rooted: false, keys })),
  find: findBuiltIn,
};

/** For who may see everything. */
export const NOTHING_MASKED: Masking = { paths: [], find: () => [] };
