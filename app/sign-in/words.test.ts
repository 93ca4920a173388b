import { describe, expect, it } from "vitest";
import { whyNot } from "@/app/sign-in/words";

describe("why a try did not sign in", () => {
  it.each([
    [{ kind: "no_match", triesLeft: 4 }, "That username and password do not match. 4 tries left before a 5 min wait."],
    [{ kind: "no_match", triesLeft: 1 }, "That username and password do not match. 1 try left before a 5 min wait."],
    [{ kind: "no_match", triesLeft: 0 }, "That username and password do not match. The next try is in 5 min."],
    [{ kind: "wait", waitMs: 251_200 }, "Too many tries did not match. The next try is in 4m 12s."],
  ] as const)("%j", (ending, sentence) => expect(whyNot(ending)).toBe(sentence));
});
