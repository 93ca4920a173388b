import { z } from "zod";
import { one, type Queryable, type Sql } from "@/lib/db/pg";
import { instant } from "./instant";

const CLOCK: Sql = { name: "clock", text: `select ${instant("clock_timestamp()")} as now` };

/** The store's clock, as the wire's instant. */
export async function readClock(db: Queryable): Promise<string> {
  return (await one(db, CLOCK, z.object({ now: z.string() }))).now;
}
