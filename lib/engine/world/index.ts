/** What the rest of the engine uses of the demo. */
export { type BreakEnding, breakCatalog, type MendEnding, mendCatalog } from "./break-catalog";
export { noteViewer, readDemoState } from "./demo-state";
export { beginFault, endFault, endLeftoverFault } from "./faults";
export { runDemo } from "./run-demo";
