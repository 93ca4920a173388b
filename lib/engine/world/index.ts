/** What the rest of the engine uses of the demo. */
export { type BreakEnding, breakCatalog, type MendEnding, mendCatalog } from "./break-catalog";
export { noteViewer, readDemoState } from "./demo-state";
export { beginFault, endFault, endLeftoverFault, isJournalFault } from "./faults";
export { countCleanups } from "./journal-faults/count-cleanups";
export { killOnce } from "./journal-faults/kill-once";
export { removeOverwritten } from "./journal-faults/presence-keys";
export { runDemo } from "./run-demo";
