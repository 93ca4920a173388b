import { z } from "zod";
import { INSPECT_LIMIT_DEFAULT, INSPECT_LIMIT_MAX, RPC_VERSION } from "@/lib/internal-rpc/wire";
import type { Caller } from "./handlers";
import { clockSkew, type Refusal, refuse } from "./refusal";
import type { Answer } from "./route";

// What the routes of every queue answer alike.

export const answer = (body: unknown): Answer => ({ kind: "answer", body });

type Answered = { server_time: string; answers: unknown[] };
type BatchOutcome =
  | ({ kind: "answered" } & Answered)
  | { kind: "operation_mismatch"; deadLetterId: string }
  | { kind: "too_late"; serverTime: string };
type Reading = ({ kind: "found" } & Answered) | { kind: "not_found"; serverTime: string };

/** A requeue-batch: its operation is also its Idempotency-Key. */
export async function batchAnswer(
  operationId: string,
  caller: Caller,
  act: () => Promise<BatchOutcome>,
): Promise<Answer | Refusal> {
  if (caller.idempotencyKey?.toLowerCase() !== operationId)
    return refuse(400, "idempotency_key_mismatch", "Idempotency-Key must be the operation_id.");
  const outcome = await act();
  switch (outcome.kind) {
    case "answered":
      return answer(operationAnswer(operationId, outcome));
    case "operation_mismatch":
      return refuse(409, "operation_mismatch", `The letter ${outcome.deadLetterId} came with another expect before.`);
    case "too_late":
      return clockSkew("expired", outcome.serverTime);
    default:
      return outcome satisfies never;
  }
}

/** The read-back of an operation by the id in its path. */
export async function operationReading(
  id: string,
  read: (operationId: string) => Promise<Reading>,
): Promise<Answer | Refusal> {
  const operationId = z.guid().toLowerCase().safeParse(id);
  if (!operationId.success) return refuse(400, "not_a_uuid", "The operation's id must be a UUID.");
  const reading = await read(operationId.data);
  switch (reading.kind) {
    case "found":
      return answer(operationAnswer(operationId.data, reading));
    case "not_found":
      return refuse(404, "operation_not_found", "There is no record of this operation.", {
        server_time: reading.serverTime,
      });
    default:
      return reading satisfies never;
  }
}

function operationAnswer(operationId: string, { server_time, answers }: Answered) {
  return { rpc_version: RPC_VERSION, operation_id: operationId, server_time, answers };
}

/** What is no number counts as not given; what is out of range as its nearest end. */
export function clampLimit(given: string | null): number {
  const limit = given === null || given.trim() === "" ? Number.NaN : Math.trunc(Number(given));
  return Number.isNaN(limit) ? INSPECT_LIMIT_DEFAULT : Math.min(INSPECT_LIMIT_MAX, Math.max(1, limit));
}
