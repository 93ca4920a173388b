import { z } from "zod";

const By = z.object({
  at: z.string(),
  /** Null: what was put back has no id. */
  entry_id: z.string().nullable(),
  operation_id: z.string(),
  actor: z.string(),
});

const Expect = z.unknown();

/** An operation's answer for one letter as it is kept. */
export const AnswerRecord = z.discriminatedUnion("answer", [
  z.object({ answer: z.literal("requeued"), expect: Expect, by: By }),
  z.object({ answer: z.literal("already_requeued"), expect: Expect, by: By }),
  z.object({ answer: z.literal("not_found"), expect: Expect }),
  z.object({ answer: z.literal("changed"), expect: Expect, changed: z.unknown() }),
  z.object({ answer: z.literal("undecodable"), expect: Expect, error: z.string() }),
]);
export type AnswerRecord = z.output<typeof AnswerRecord>;

/** What became of asking for one letter. Times are ISO 8601 on the store's clock. */
export type RequeueAnswer = { deadLetterId: string } & (
  | { kind: "requeued"; entryId: string | null; at: string }
  /** By whom: another operation, or this letter's twin before. */
  | { kind: "already_requeued"; entryId: string | null; at: string; operationId: string; actor: string }
  | { kind: "not_found" }
  | { kind: "changed"; changed: unknown }
  | { kind: "undecodable"; error: string }
);

export function parseRecord(text: string): AnswerRecord {
  return AnswerRecord.parse(JSON.parse(text));
}

export function answerOf(deadLetterId: string, record: AnswerRecord): RequeueAnswer {
  switch (record.answer) {
    case "requeued":
      return { deadLetterId, kind: "requeued", entryId: record.by.entry_id, at: record.by.at };
    case "already_requeued": {
      const { entry_id: entryId, at, operation_id: operationId, actor } = record.by;
      return { deadLetterId, kind: "already_requeued", entryId, at, operationId, actor };
    }
    case "not_found":
      return { deadLetterId, kind: "not_found" };
    case "changed":
      return { deadLetterId, kind: "changed", changed: record.changed };
    case "undecodable":
      return { deadLetterId, kind: "undecodable", error: record.error };
    default:
      return record satisfies never;
  }
}

/** An expectation as it is compared and kept: what is absent and what is null are one. */
export function expectText(expect: unknown): string {
  if (expect === null || typeof expect !== "object") return JSON.stringify(expect ?? null);
  const fields = Object.entries(expect).filter(([, value]) => value !== undefined && value !== null);
  return fields.length === 0 ? "null" : JSON.stringify(Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1))));
}
