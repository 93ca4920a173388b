import { expect, test } from "vitest";
import { failedReading, NotReadable } from "./failed-reading";

const failed = (more: { code?: string; message?: string }) => Object.assign(new Error(more.message ?? ""), more);

test.each<[string, "Postgres" | "Redis", Error, { code: string; sentence: string }]>([
  [
    "refused",
    "Postgres",
    failed({ code: "ECONNREFUSED" }),
    { code: "ECONNREFUSED", sentence: "Postgres does not answer." },
  ],
  ["silent", "Redis", new Error("Command timed out"), { code: "unreachable", sentence: "Redis does not answer." }],
  ["cut", "Postgres", failed({ code: "08006" }), { code: "08006", sentence: "Postgres does not answer." }],
  [
    "no right",
    "Postgres",
    failed({ code: "42501" }),
    { code: "42501", sentence: "The reading role may not read this." },
  ],
  // A banner says it beside the other store's name: which one it is must be told.
  [
    "starting",
    "Postgres",
    failed({ code: "57P03" }),
    { code: "57P03", sentence: "Postgres is starting or recovering." },
  ],
  [
    "an error of its own",
    "Postgres",
    failed({ code: "42883" }),
    { code: "42883", sentence: "Postgres refused the query." },
  ],
  [
    "a row of another shape",
    "Postgres",
    failed({ code: "row_mismatch" }),
    { code: "row_mismatch", sentence: "Postgres holds what this desk cannot read." },
  ],
  [
    "a certificate",
    "Postgres",
    failed({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
    { code: "DEPTH_ZERO_SELF_SIGNED_CERT", sentence: "The server's certificate is not trusted." },
  ],
  [
    "loading",
    "Redis",
    failed({ message: "LOADING Redis is loading" }),
    { code: "LOADING", sentence: "Redis is loading its data." },
  ],
  [
    "known before asked",
    "Postgres",
    new NotReadable("The table is missing."),
    { code: "not_readable", sentence: "The table is missing." },
  ],
])("a failed read has its own sentence: %s", (_case, store, error, said) => {
  expect(failedReading(error, store)).toEqual({ kind: "failed", ...said });
});
