import { jsonObject } from "@/lib/engine/persistence-retry/payload/json-out";
import type { RealtimeStreamCleanup } from "./cleanup";

/** The bytes of an item that starts here: what is a number or the ledger goes out as its own characters. */
export function encodeCleanup({ player, ...cleanup }: RealtimeStreamCleanup): Buffer {
  const text = JSON.stringify;
  return Buffer.from(
    jsonObject({
      session_token: text(cleanup.sessionToken),
      player: jsonObject({
        character_id: text(player.characterId),
        character_name: text(player.characterName),
        realm_id: text(player.realmId),
        zone_id: text(player.zoneId),
        position: jsonObject(player.position),
      }),
      runtime_profile: text(cleanup.runtimeProfile),
      ...(cleanup.resumeLedger === null ? {} : { resume_ledger: cleanup.resumeLedger }),
      transfer_activation_confirmed: text(cleanup.transferActivationConfirmed),
      plan: text(cleanup.plan),
      ...(cleanup.streamId === null ? {} : { stream_id: text(cleanup.streamId) }),
    }),
  );
}
