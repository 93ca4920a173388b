import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { RealtimeStreamCleanup } from "@/lib/engine/session-lifecycle/item/cleanup";
import { decimal } from "@/lib/engine/world/decimal";

/** Somebody who is connected: one stream of one session. */
export type Player = { characterId: string; token: string; streamId: string };

/** A new stream; of the session given, where somebody comes back to it. */
export const newPlayer = (characterId: string, token = randomBytes(24).toString("base64url")): Player => ({
  characterId,
  token,
  streamId: randomUUID(),
});

/** How somebody leaves. `handover`: their next stream is there before the end of this one is noticed. */
export type Leaving = "reconnectable" | "permanent_removal" | "confirmed_transfer" | "handover";

const coordinate = () => decimal(randomInt(-200_000, 200_000));

/** What is owed for a player who leaves from where they stand. */
export function cleanupOf(
  { token, characterId, streamId }: Player,
  who: { name: string; realmId: string; zoneId: string },
  leaving: Leaving,
): RealtimeStreamCleanup {
  const plan = leaving === "handover" ? "reconnectable" : leaving;
  return {
    sessionToken: token,
    player: {
      characterId,
      characterName: who.name,
      realmId: who.realmId,
      zoneId: who.zoneId,
      position: { x: coordinate(), y: coordinate(), z: decimal(randomInt(0, 12_000)) },
    },
    runtimeProfile: "realtime",
    resumeLedger:
      plan === "reconnectable" ? JSON.stringify({ sequence: randomInt(1_000_000), zone_id: who.zoneId }) : null,
    transferActivationConfirmed: plan === "confirmed_transfer",
    plan,
    streamId,
  };
}
