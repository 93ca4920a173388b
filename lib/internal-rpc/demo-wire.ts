import { z } from "zod";
import { FaultName } from "@/lib/domain/demo-fault";

/** The demo's own routes; they exist only in the demo. Each of them answers the state after it. */
export const DEMO_ROUTES = "/v1/internal/demo";

const rpcVersion = z.number().int();
const instant = z.string().max(64);

export const DemoRequest = z.object({ rpc_version: rpcVersion });
export const DemoFaultRequest = z.object({ rpc_version: rpcVersion, fault: FaultName });

/** The fault that is open; there is at most one. */
export const DemoFault = z.object({
  fault: FaultName,
  since: instant,
  /** When it is over by itself; null: when somebody mends it. */
  ends_at: instant.nullable(),
  frozen_at: instant.nullable(),
  /** Writes that it has concerned so far, of at most `writes_max`; how many of them wait, and how many are dead. */
  writes: z.number().int(),
  writes_max: z.number().int(),
  waiting: z.number().int(),
  letters: z.number().int(),
});
export type DemoFault = z.infer<typeof DemoFault>;

export const DemoState = z.object({
  /** When the catalog was broken and not yet mended. */
  broken_since: instant.nullable(),
  zone_id: z.string().nullable(),
  zone_name: z.string().nullable(),
  /** Letters that came of the present break, of at most `letters_max`. */
  letters: z.number().int(),
  letters_max: z.number().int(),
  idle: z.boolean(),
  characters: z.number().int(),
  /** Absent: an engine that can make none. */
  fault: DemoFault.nullish(),
});
export type DemoState = z.infer<typeof DemoState>;
