import { expect, test } from "vitest";
import { maskError } from "./mask-error";

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
