import { z } from "zod";
import { ROLES, type Who } from "@/lib/auth/role";

/** What a row says of a user, whatever else it says. */
export const WhoRow = z.object({
  user_id: z.uuid(),
  username: z.string(),
  display_name: z.string(),
  role: z.enum(ROLES),
  reveal: z.boolean(),
  queues: z.array(z.string()).nullable(),
});

/** That user, as everybody else knows them. */
export const whoOf = (row: z.output<typeof WhoRow>): Who => ({
  userId: row.user_id,
  username: row.username,
  displayName: row.display_name,
  role: row.role,
  reveal: row.reveal,
  queues: row.queues,
});
