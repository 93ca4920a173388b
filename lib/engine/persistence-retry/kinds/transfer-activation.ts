import { z } from "zod";
import { execute, many, maybe, type Sql } from "@/lib/db/pg";
import { encodeHead, jsonObject } from "@/lib/engine/persistence-retry/payload/json-out";
import { storableText } from "@/lib/engine/persistence-retry/payload/values";
import { CharacterMissing } from "./character-missing";
import { catalogEffect, EffectRow } from "./effect-row";
import type { Kind } from "./kind";
import { TransferRefused } from "./transfer-refused";

const payload = z
  .object({
    kind: z.literal("transfer_activation"),
    character_id: z.guid(),
    realm_id: storableText(200),
    /** Where it leads. */
    zone_id: storableText(200),
    transfer_id: z.guid(),
  })
  .transform((raw) => ({
    kind: raw.kind,
    characterId: raw.character_id,
    realmId: raw.realm_id,
    zoneId: raw.zone_id,
    transferId: raw.transfer_id,
  }));
export type TransferActivation = z.output<typeof payload>;

// The rule, once: which transfer is meant, and that only a pending one is written. `t` is a transfer.
const meant = (character: string, zone: string, transfer: string) =>
  `t.transfer_id = ${transfer} and t.character_id = ${character} and t.to_zone_id = ${zone}`;
const WRITES = "t.state = 'pending'";

// $1 character · $2 realm. As every write does, it takes the character's row first; it is counted once it writes.
const LOCK_CHARACTER: Sql = {
  name: "apply_transfer_activation_lock",
  text: "select character_id from characters where character_id = $1 and realm_id = $2 for no key update",
};

// $1 character · $2 zone · $3 transfer. The foreign key of the character's row refuses a zone that left the catalog.
const ACTIVATE: Sql = {
  name: "apply_transfer_activation",
  text: `
    with activated as (
      update character_transfers t set state = 'active', settled_at = clock_timestamp()
       where ${meant("$1", "$2", "$3")} and ${WRITES}
      returning t.character_id, t.to_zone_id
    )
    update characters c
       set zone_id = activated.to_zone_id, version = version + 1, changed_at = clock_timestamp()
      from activated where c.character_id = activated.character_id`,
};

// $1 character · $2 zone · $3 transfer
const STATE: Sql = {
  name: "apply_transfer_activation_state",
  text: `select t.state from character_transfers t where ${meant("$1", "$2", "$3")}`,
};

// $1 character · $2 zone · $3 transfer · $4 realm
const EFFECTS: Sql = {
  name: "effects_transfer_activation",
  text: `
    with target as (
      select c.character_id, c.zone_id, t.state, coalesce(${WRITES}, false) as writes
        from (select 1) as one
        left join characters c on c.character_id = $1 and c.realm_id = $4
        left join character_transfers t on ${meant("c.character_id", "$2::text", "$3")}
    )
    select 'transfer.state' as field, 'active' as payload, state as now, case when writes then 'active' end as after,
           case when state = 'active' then 'same' else 'sets' end as change
      from target
    union all
    select 'zone_id', $2::text, zone_id, case when writes then $2::text else zone_id end,
           case when writes and zone_id <> $2::text then 'sets' else 'same' end
      from target
    union all ${catalogEffect("$2::text")}`,
};

/**
 * The end of a transfer: from `pending`, and from nothing else, to `active`, and the character is in the target zone.
 * Guarded: one that is active already is settled without effect; one that was cancelled, or that is not there for this
 * character and zone, fails.
 */
export const transferActivation: Kind<TransferActivation> = {
  name: "transfer_activation",
  semantics: "guarded",
  payload,
  encode({ transferId, ...payload }) {
    return jsonObject({ ...encodeHead(payload), transfer_id: JSON.stringify(transferId) });
  },
  async apply(db, transfer) {
    const { characterId, realmId, zoneId, transferId } = transfer;
    const Character = z.object({ character_id: z.string() });
    if ((await maybe(db, LOCK_CHARACTER, Character, [characterId, realmId])) === null) {
      throw new CharacterMissing(transfer);
    }
    const meant = [characterId, zoneId, transferId];
    if ((await execute(db, ACTIVATE, meant)) === 1) return "applied";
    // Nothing was written: this only tells why.
    const found = await maybe(db, STATE, z.object({ state: z.string() }), meant);
    if (found?.state === "active") return "superseded";
    throw new TransferRefused(transfer, found?.state ?? null);
  },
  effects(db, { characterId, realmId, zoneId, transferId }) {
    return many(db, EFFECTS, EffectRow, [characterId, zoneId, transferId, realmId]);
  },
};
