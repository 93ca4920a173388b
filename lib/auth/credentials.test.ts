import { expect, test } from "vitest";
import { NewAccount } from "./credentials";

const issues = (displayName: string) =>
  NewAccount.pick({ displayName: true })
    .safeParse({ displayName })
    .error?.issues.map(({ message }) => message);

test.each(["system", "SYSTEM", " System ", "ｓｙｓｔｅｍ", "s\u3164ystem", "sys tem", "sys\u200ctem"])(
  "nobody is called what the audit calls the desk itself: %j",
  (name) => expect(issues(name)).toEqual(["The desk itself is called system: take another name."]),
);

test("a name that only holds the word is a name", () => {
  for (const name of ["System Admin", "Systema", "Maya"]) expect(issues(name)).toBeUndefined();
  expect(issues("  ")).toEqual(["Every action is recorded under this name."]);
});
