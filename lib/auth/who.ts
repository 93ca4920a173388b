import "server-only";
import { cache } from "react";
import { requestToken } from "@/lib/auth/request";
import type { Who } from "@/lib/auth/role";
import { findReader } from "@/lib/auth/seen-sessions";
import { config } from "@/lib/config";
import { pools } from "@/lib/db/pools";

export type { Who } from "@/lib/auth/role";

/** Who asks for the page that is being rendered, with their role now; null: nobody. Looked up once a request. */
export const who = cache(async (): Promise<Who | null> => {
  return findReader(pools().own, await requestToken(), { use: true, readOnly: config().readOnly });
});
