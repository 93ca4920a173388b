/** What the rest of the demo uses of its faults. */
export { beginFault } from "./begin-fault";
export { endFault } from "./end-fault";
export { endLeftoverFault } from "./end-leftover";
export { isJournalFault } from "./fault";
export { faultHook } from "./fault-hook";
export { runFaults } from "./run-faults";
export { workerSwitch } from "./worker-switch";
