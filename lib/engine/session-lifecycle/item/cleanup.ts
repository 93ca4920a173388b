import type { SessionLifecycleEffectPlan } from "./effect-plan";

/** What is left to do once a realtime stream has closed. Numbers are source text. */
export type RealtimeStreamCleanup = {
  /** Must not be logged or answered beyond the signed routes. */
  sessionToken: string;
  player: {
    characterId: string;
    characterName: string;
    realmId: string;
    zoneId: string;
    position: { x: string; y: string; z: string };
  };
  runtimeProfile: string;
  /** The record that is to be kept for a resume, its own characters; null: there is none. */
  resumeLedger: string | null;
  transferActivationConfirmed: boolean;
  plan: SessionLifecycleEffectPlan;
  /** Ours: the stream that closed. Null where another writer left it out. */
  streamId: string | null;
};
