import type pg from "pg";
import { z } from "zod";
import { maybe, type Sql } from "@/lib/db/pg";
import { IDLE_AFTER_MINUTES } from "./demo-state";

/** `other`: another engine drives the world. `idle`: nobody has looked for half an hour. */
export type Drive = "drive" | "idle" | "other";

const LEASE_SECONDS = 5;

// $1 who
const TAKE: Sql = {
  name: "demo_take_wheel",
  text: `
    update demo_world
       set driver = $1, driver_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
     where driver = $1 or driver_until is null or driver_until <= statement_timestamp()
    returning viewer_seen_at < statement_timestamp() - make_interval(mins => ${IDLE_AFTER_MINUTES}) as idle`,
};

/** Takes or keeps the wheel for some seconds: one engine drives the world, or two would write to one character at once. */
export async function takeWheel(pool: pg.Pool, who: string): Promise<Drive> {
  const taken = await maybe(pool, TAKE, z.object({ idle: z.boolean() }), [who]);
  if (taken === null) return "other";
  return taken.idle ? "idle" : "drive";
}
