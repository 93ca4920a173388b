/** What the engine's HTTP side uses of persistence retry. */
export type { SessionReader } from "./expected-sessions";
export { readFacts } from "./facts";
export { INSPECT_LIMIT, type Inspection, inspectDeadLetters } from "./inspect";
export { readLedger } from "./ledger";
export { readOperation } from "./operations";
export { type RequeueBatchAsk, type RequeueBatchEnding, requeueBatch } from "./requeue-batch";
export type { RequeueEnding } from "./requeue-letter";
export { type RequeueOneAsk, type RequeueOneEnding, requeueOne } from "./requeue-one";
export { type StoreShape, storeShape } from "./store-shape";
