/** What the engine's HTTP side uses of the demo. */
export { type BreakEnding, breakCatalog, type MendEnding, mendCatalog } from "./break-catalog";
export { noteViewer, readDemoState } from "./demo-state";
