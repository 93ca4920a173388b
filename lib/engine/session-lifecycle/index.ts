/** What the rest of the engine uses of the session lifecycle journal. */
export { type CloseDeps, closeStream, type StreamClosed } from "./close-stream";
export { type RunningJournal, startJournal } from "./start-journal";
export type { JournalSettings } from "./worker";
