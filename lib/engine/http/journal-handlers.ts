import type { z } from "zod";
import type {
  JournalBatchAnswerItem,
  JournalBatchItem,
  JournalFacts,
  JournalLettersAnswer,
} from "@/lib/internal-rpc/journal-wire";
import type { Caller } from "./handlers";

/** A letter as the wire has it, and the token, which the client drops at the crossing. */
type InspectedLetter = z.input<typeof JournalLettersAnswer>["dead_letters"][number] & { session_token: string | null };
export type JournalInspection = Omit<z.input<typeof JournalLettersAnswer>, "dead_letters"> & {
  dead_letters: InspectedLetter[];
};

/** `server_time`: Redis's clock, ISO 8601. */
type JournalAnswers = { server_time: string; answers: JournalBatchAnswerItem[] };

/** What the engine does behind the journal's routes, in the forms of persistence retry. */
export type JournalHandlers = {
  inspect: (limit: number) => Promise<JournalInspection>;
  requeueOne: (
    deadLetterId: string,
    caller: Caller,
  ) => Promise<
    | { kind: "requeued"; entryId: string | null }
    | { kind: "not_requeued"; entryId: string | null }
    | { kind: "undecodable"; error: string }
    | { kind: "too_late"; serverTime: string }
  >;
  readFacts: (deadLetterIds: string[], caller: Caller) => Promise<{ read_at: string; facts: JournalFacts[] }>;
  requeueBatch: (
    operationId: string,
    items: z.output<typeof JournalBatchItem>[],
    caller: Caller,
  ) => Promise<
    | ({ kind: "answered" } & JournalAnswers)
    | { kind: "operation_mismatch"; deadLetterId: string }
    | { kind: "too_late"; serverTime: string }
  >;
  readOperation: (
    operationId: string,
    caller: Caller,
  ) => Promise<({ kind: "found" } & JournalAnswers) | { kind: "not_found"; serverTime: string }>;
};
