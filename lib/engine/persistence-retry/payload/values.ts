import { z } from "zod";
import { NumberText } from "./json";

const BIGINT_MAX = 9223372036854775807n;
const DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** numeric holds far more; this bounds what one payload can make the store and a screen carry. */
const DIGITS_MAX = 1_000;

const numberText = z.instanceof(NumberText, { error: "expected a number" }).transform((number) => number.text);

/** A whole number from 0 that a bigint holds, as its digits. */
export const wholeText = numberText.refine(
  (text) => /^\d{1,19}$/.test(text) && BigInt(text) <= BIGINT_MAX,
  "expected a whole number from 0 to 9223372036854775807",
);

/** A decimal number as its source text, such as `-12.50` or `1e400`. */
export const decimalText = numberText.refine((text) => {
  const [, whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(text) ?? [];
  const power = Math.abs(Number(exponent));
  return whole.length + fraction.length <= DIGITS_MAX && power <= DIGITS_MAX && whole !== "";
}, `expected a decimal number of at most ${DIGITS_MAX} digits`);

/** Text that Postgres can store as it is: no NUL, no lone half of a surrogate pair. */
export const storableText = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !text.includes("\0") && !/\p{Surrogate}/u.test(text), "expected well-formed text without NUL");
