import { z } from "zod";
import type { RealtimeStreamCleanup } from "./cleanup";

/** What a cleanup owes: a player who may come back, one who is gone for good, one who lives on in another runtime. */
export const SessionLifecycleEffectPlan = z.enum(["reconnectable", "permanent_removal", "confirmed_transfer"]);
export type SessionLifecycleEffectPlan = z.infer<typeof SessionLifecycleEffectPlan>;

export type EffectName = "persist_resume_ledger" | "delete_resume_ledger" | "persist_location" | "refresh_presence";

const EFFECTS: Record<SessionLifecycleEffectPlan, EffectName[]> = {
  reconnectable: ["persist_resume_ledger", "persist_location", "refresh_presence"],
  permanent_removal: ["delete_resume_ledger", "persist_location"],
  confirmed_transfer: ["delete_resume_ledger"],
};

type Planned = Pick<RealtimeStreamCleanup, "plan" | "transferActivationConfirmed">;

/** What of a plan's effects is done, in this order. A confirmed transfer deletes the ledger, whatever the plan, and no more. */
export function effectsOf({ plan, transferActivationConfirmed }: Planned): EffectName[] {
  return EFFECTS[transferActivationConfirmed ? "confirmed_transfer" : plan];
}

/** What a plan has and a confirmed transfer leaves undone. */
export function leftByTransfer({ plan, transferActivationConfirmed }: Planned): EffectName[] {
  const done = effectsOf({ plan, transferActivationConfirmed });
  return EFFECTS[plan].filter((effect) => !done.includes(effect));
}

/** Whether the resume ledger goes: then the cleanup is owed even where the session is active again. */
export const deletesResumeLedger = (planned: Planned) => effectsOf(planned).includes("delete_resume_ledger");
