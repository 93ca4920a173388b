import { expect, it } from "vitest";
import { problemsOf } from "@/app/sign-in/problems";

it("tells of each field its first problem, and of the whole what stands under no field", () => {
  const issues = [
    { path: "username", message: "First." },
    { path: "username", message: "Second." },
    { path: "token", message: "A NUL character cannot be stored." },
    { path: "", message: "Later." },
  ];
  expect(problemsOf({ kind: "invalid", issues }, ["username", "password"])).toEqual({
    fields: { username: "First." },
    whole: "A NUL character cannot be stored.",
  });
});
