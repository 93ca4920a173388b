import { z } from "zod";
import { routeGuard } from "@/lib/auth/route";
import { findOperation } from "@/lib/console/requeue/view";
import { pools } from "@/lib/db/pools";

/** What became of one operation so far; null when there is none of that id. Only reads. */
export const GET = routeGuard<{ id: string }>("viewer", async ({ params, who }) =>
  z.uuid().safeParse(params.id).success ? findOperation(pools().own, params.id, who) : null,
);
