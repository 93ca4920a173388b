export { type Appended, appendItems } from "./append";
export { createWriteRedis, type WriteTrouble, writeTrouble } from "./connection";
export { type QueueDepths, readDepths } from "./depths";
export type { Entry } from "./envelope/entry";
export type { Letter } from "./envelope/letter";
export { type WorkQueueKeys, workQueueKeys } from "./keys";
export { POISON_ERROR, RETURNS_MAX, type Returned, returnLeftovers } from "./leftovers";
export { type Outcome, readOutcomes } from "./outcomes";
export { type PlainProcessing, watchPlainProcessing } from "./plain-processing";
export { KEPT, prune } from "./prune";
export type { AnyQueue, Decoded, WorkQueue } from "./queue";
export { type FoundLetter, findLetters } from "./requeue/find-letters";
export { readOperation } from "./requeue/operations";
export type { RequeueAnswer } from "./requeue/record";
export { type Judgement, type RequeueBatchAsk, type RequeueBatchEnding, requeueBatch } from "./requeue/requeue-batch";
export { requeueOne } from "./requeue/requeue-one";
export { beat, leave, newRuntime } from "./runtime";
export {
  type AckedAs,
  ackEntries,
  type DeadLettered,
  deadLetterEntry,
  type Held,
  releaseEntry,
  retryEntry,
} from "./settle";
export { type Taken, takeEntries } from "./take";
export { tick } from "./tick";
export { readEntries, readLetters, type Seen, type WindowAsk } from "./windows";
