import { z } from "zod";
import { IMPACTS } from "./impact-words";

export const Impact = z.enum(IMPACTS);
export type Impact = z.infer<typeof Impact>;

/** Waiting writes of one impact: not taken, or taken under a lease that ran out. `late` of them wait for too long. */
export const ImpactCount = z.object({
  impact: Impact,
  waiting: z.number().int(),
  late: z.number().int(),
  oldestMs: z.number().nullable(),
});
export type ImpactCount = z.infer<typeof ImpactCount>;
