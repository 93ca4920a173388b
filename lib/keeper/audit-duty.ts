import type { Pool } from "pg";
import { checkNightly } from "@/lib/console/audit/check";
import type { Duty } from "./loop";

const LOOK_MS = 60_000;

/** Once a night the whole audit is gone through, by whichever keeper holds the duty. */
export const auditDuty = (own: Pool): Duty => ({ name: "audit-check", everyMs: LOOK_MS, run: () => checkNightly(own) });
