import { expect, test } from "vitest";
import { maskError as mask } from "./mask-error";
import { BUILT_IN } from "./mask-finders";

const maskError = (text: string, known: string[] = []) => mask(text, known, BUILT_IN);

test.each([
  "invalid session_token=tok-secret-1",
  'bad body {"session_token":"tok-secret-1","x":1}',
  "sessionToken: 'tok-secret-1' has expired",
  "session token tok-secret-1, was refused",
])("a token that an error names is not shown: %s", (error) => {
  const shown = maskError(error);
  expect(shown).not.toContain("tok-secret-1");
  expect(shown).toContain("‹redacted›");
});

test("the payload's own token is not shown wherever it stands, and the rest of the error is", () => {
  expect(maskError("user tok-secret-1 is not known (23503)", ["tok-secret-1"])).toBe(
    "user ‹redacted› is not known (23503)",
  );
});

test("an error without a token stays as it is", () => {
  const error =
    'ERROR 23503: insert or update on table "reward_ledger" violates foreign key\nDETAIL: Key (zone_id)=(418)';
  expect(maskError(error, [])).toBe(error);
});

test("of two secrets that hold each other nothing is left, and a text that is a secret is hidden however short", () => {
  expect(maskError("said tok-secret-1-long here", ["tok-secret-1", "tok-secret-1-long"])).toBe("said ‹redacted› here");
  expect(maskError("x1", ["x1"])).toBe("‹redacted›");
});

test("what is masked once stays as it is when it is masked again", () => {
  const once = maskError("session_token=tok-secret-1 of jane@example.com");
  expect(maskError(once)).toBe(once);
});
