import type { PlanName } from "./cleanup";

/** What a plan does, in the seed's words. */
export const PLAN_WORDS: Record<PlanName, string> = {
  reconnectable: "reconnectable: keeps the resume ledger, persists location, refreshes presence",
  permanent_removal: "permanent removal: deletes the resume ledger, persists location",
  confirmed_transfer: "confirmed transfer: deletes the resume ledger only",
};
