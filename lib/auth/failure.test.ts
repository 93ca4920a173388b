import { describe, expect, it } from "vitest";
import { failureOf } from "@/lib/auth/failure";
import { GateFull } from "@/lib/auth/gate";

const coded = (code: string) => Object.assign(new Error("inner words"), { code });

describe("what an operator is told of an error", () => {
  it.each([
    [coded("57014"), "57014", "The database took too long and the query was cancelled."],
    [coded("55P03"), "55P03", "The database row is held by somebody else. Try again."],
    [coded("57P03"), "57P03", "Postgres is unreachable."],
    [coded("08006"), "08006", "Postgres is unreachable."],
    [coded("42703"), "42703", "The database refused the query."],
    [coded("ECONNREFUSED"), "ECONNREFUSED", "Postgres is unreachable."],
    [new Error("Query read timeout"), "no_answer", "Postgres does not answer. Try again when it does."],
    [new Error("Connection terminated unexpectedly"), "no_answer", "Postgres does not answer. Try again when it does."],
    [new GateFull(), "busy", "Too many at once. Try again in a few seconds."],
  ])("%s", (error, code, sentence) => expect(failureOf(error)).toEqual({ code, sentence }));

  it.each([new Error("inner words"), coded("EWHATEVER"), "thrown text", null, undefined])(
    "nothing of the inside of %s",
    (error) => expect(failureOf(error)).toEqual({ code: "internal", sentence: expect.not.stringContaining("inner") }),
  );
});
