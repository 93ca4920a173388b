"use server";

import { z } from "zod";
import { action } from "@/lib/auth/action";
import { config } from "@/lib/config";
import { tokenHash } from "@/lib/console/archive/token-hash";

/** The keyed hash of a session token, which may stand in an address where the token may not. */
export const sealToken = action({
  name: "seal_token",
  role: "viewer",
  input: z.string().min(1).max(4_096),
  body: async ({ input }) => tokenHash(input, config().secret),
});
