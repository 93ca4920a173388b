import type { z } from "zod";
import type { FaultName } from "@/lib/domain/demo-fault";
import type { DemoState } from "@/lib/internal-rpc/demo-wire";
import type { NonceStore } from "@/lib/internal-rpc/nonces";
import type {
  BatchAnswerItem,
  BatchItem,
  DeadLettersAnswer,
  InfoAnswer,
  LedgerFacts,
  LetterFacts,
  StoreFacts,
} from "@/lib/internal-rpc/wire";
import type { JournalHandlers } from "./journal-handlers";

/** Who called, as the signature proves it. */
export type Caller = {
  requestId: string;
  keyId: string;
  /** An opaque id of who clicked. */
  actor: string;
  /** Null for a GET. */
  idempotencyKey: string | null;
  /**
   * The signature's end, ms on the store's clock. A transaction with an effect must not begin after it: its first
   * statement compares it with the store's clock and gives up when it is past. Otherwise a request that waited (for a
   * connection, in a frozen process) could land after its "not found" was read back as final.
   */
  startByMs: number;
};

/** `server_time` of every answer is the store's clock, ISO 8601 with microseconds. */
export type Answers = { server_time: string; answers: BatchAnswerItem[] };

export type RequeueOneOutcome =
  | { kind: "requeued"; retryJobId: string }
  /** Missing, or requeued before (then under which job, when that is known). */
  | { kind: "not_requeued"; retryJobId: string | null }
  | { kind: "undecodable"; error: string }
  | { kind: "too_late"; serverTime: string };

export type RequeueBatchOutcome =
  | ({ kind: "answered" } & Answers)
  /** The same pair of operation and letter came before with another `expect`. Nothing was changed. */
  | { kind: "operation_mismatch"; deadLetterId: string }
  | { kind: "too_late"; serverTime: string };

export type OperationReading = ({ kind: "found" } & Answers) | { kind: "not_found"; serverTime: string };

/** A letter as the wire has it, and the token, which the client drops at the crossing. */
export type InspectedLetter = z.input<typeof DeadLettersAnswer>["dead_letters"][number] & {
  session_token?: string | null;
};
export type Inspection = Omit<z.input<typeof DeadLettersAnswer>, "dead_letters"> & { dead_letters: InspectedLetter[] };

/** What the demo's routes do; each of them answers the state after it. */
export type DemoHandlers = {
  readState: () => Promise<DemoState>;
  breakCatalog: (caller: Caller) => Promise<unknown>;
  mendCatalog: (caller: Caller) => Promise<unknown>;
  noteViewer: (caller: Caller) => Promise<unknown>;
  /** Makes a fault where none is open, and mends it where it is the one that is. */
  beginFault: (fault: FaultName, caller: Caller) => Promise<unknown>;
  endFault: (fault: FaultName, caller: Caller) => Promise<unknown>;
};

/** What the engine does behind its routes. The server owns signatures, versions, schemas and codes; this, the effects. */
export type EngineHandlers = {
  info: () => Promise<Omit<InfoAnswer, "rpc_version" | "routes">>;
  inspectDeadLetters: (limit: number) => Promise<Inspection>;
  requeueOne: (deadLetterId: string, caller: Caller) => Promise<RequeueOneOutcome>;
  readFacts: (
    deadLetterIds: string[],
    caller: Caller,
  ) => Promise<{ read_at: string; facts: LetterFacts[]; store?: StoreFacts; ledger?: LedgerFacts }>;
  requeueBatch: (
    operationId: string,
    items: z.output<typeof BatchItem>[],
    caller: Caller,
  ) => Promise<RequeueBatchOutcome>;
  readOperation: (operationId: string, caller: Caller) => Promise<OperationReading>;
  /** Null or absent: this engine has no session lifecycle journal, and its routes do not exist. */
  journal?: (JournalHandlers & { nonces: NonceStore }) | null;
  /** Null: this is not the demo, and its routes do not exist. */
  demo: DemoHandlers | null;
};
