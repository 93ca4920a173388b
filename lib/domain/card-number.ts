import type { Span } from "./masking";

// Card numbers as they are written: without spaces, or in the groups that stand on the card.
const PLAIN = /(?<![A-Za-z0-9_])\d{13,19}(?![A-Za-z0-9_])/g;
const BY_FOUR = /(?<![A-Za-z0-9_])\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?(?![A-Za-z0-9_])/g;
const BY_SIX = /(?<![A-Za-z0-9_])\d{4}([ -])\d{6}\1\d{4,5}(?![A-Za-z0-9_])/g;

/** Where a text holds a number that could be a card's: its first digits are an issuer's, and its check digit is right. */
export function cardSpans(text: string): Span[] {
  return [PLAIN, BY_FOUR, BY_SIX].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ index, 0: found }): Span[] =>
      isCardNumber(found.replace(/[ -]/g, "")) ? [[index, index + found.length]] : [],
    ),
  );
}

// By the check digit alone one in ten ids and times of that length would be taken for a card.
const ISSUERS: readonly [digits: RegExp, lengths: readonly number[]][] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|[68])/, [14]],
  [/^(?:6011|64[4-9]|65|62|35(?:2[89]|[3-8]))/, [16, 17, 18, 19]],
  [/^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, [13, 14, 15, 16, 17, 18, 19]],
];

/** Digits alone. */
export function isCardNumber(digits: string): boolean {
  const issued = ISSUERS.some(([start, lengths]) => lengths.includes(digits.length) && start.test(digits));
  return issued && passesLuhn(digits);
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    const counted = at % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}
