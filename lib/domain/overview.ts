import { z } from "zod";
import { FaultView } from "./demo-fault";
import { ImpactCount } from "./impact";
import { Depths, QueueName, QueueShape, Reading } from "./queue";

/** What was read last before a source stopped answering, and how long ago by the server's stopwatch. */
export const LastGood = z.object({ depths: Depths, ageMs: z.number() });
export type LastGood = z.infer<typeof LastGood>;

/** One queue as it stands: its counts now, or why there are none and what they were. */
export const QueueOverview = z.object({
  name: QueueName,
  shape: QueueShape,
  leases: z.boolean(),
  schedules: z.boolean(),
  /** Whether the rows behind its numbers can be listed on a page of this desk. */
  lists: z.object({ jobs: z.boolean(), letters: z.boolean(), entries: z.boolean() }),
  depths: Reading(Depths),
  /** Dead letters that a person has resolved; absent or null: not told, and all that are dead count as open. */
  resolved: z.number().nullish(),
  /** Waiting work by what it does to the player's session; null: this queue has no such thing. */
  impacts: Reading(z.array(ImpactCount)).nullable(),
  last: LastGood.nullable(),
});
export type QueueOverview = z.infer<typeof QueueOverview>;

/** How a store or the engine answers. `ms`: the round trip of the last reading. */
export const ConnectionView = z.object({
  name: z.string(),
  state: z.enum(["ok", "no_answer", "not_configured"]),
  ms: z.number().nullable(),
  note: z.string().optional(),
});
export type ConnectionView = z.infer<typeof ConnectionView>;

/** What the demo world is doing. Times in ms since 1970. */
export const DemoView = z.object({
  /** When the catalog was broken and not yet mended. */
  brokenSinceMs: z.number().nullable(),
  zoneName: z.string().nullable(),
  /** Letters that came of the present break, of at most `lettersMax`. */
  letters: z.number().int(),
  lettersMax: z.number().int(),
  idle: z.boolean(),
  characters: z.number().int(),
  /** The fault that is open; null: none. */
  fault: FaultView.nullable(),
});
export type DemoView = z.infer<typeof DemoView>;

/** Everything that the Overview and the frame show and refresh by themselves. Each part is read by itself. */
export const Overview = z.object({
  /** The database clock that ages are computed on. */
  clock: Reading(z.object({ atMs: z.number() })),
  queues: z.array(QueueOverview),
  connections: z.array(ConnectionView),
  /** Null: there is no demo here. */
  demo: Reading(DemoView).nullable(),
  /** Why the desk's own database cannot be read: who was just seen may read on, and nothing can be changed. Null: it can. */
  ownAway: z.string().nullish(),
  /** Why it is not known how many dead letters people have resolved; null: it is known. They count as open then. */
  resolvedUntold: z.string().nullish(),
});
export type Overview = z.infer<typeof Overview>;
