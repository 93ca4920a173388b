import { z } from "zod";
import { execute, many, type Sql } from "@/lib/db/pg";
import { encodeHead, jsonObject } from "@/lib/engine/persistence-retry/payload/json-out";
import { storableText, wholeText } from "@/lib/engine/persistence-retry/payload/values";
import { BUMP } from "./bump-character";
import { catalogEffect, EffectRow } from "./effect-row";
import type { Kind } from "./kind";

const ITEMS_MAX = 200;

const payload = z
  .object({
    kind: z.literal("combat_rewards"),
    character_id: z.guid(),
    realm_id: storableText(200),
    zone_id: storableText(200),
    encounter_id: storableText(200),
    rewards: z.object({
      gold: wholeText,
      items: z.array(z.object({ item_id: storableText(200), quantity: wholeText })).max(ITEMS_MAX),
    }),
  })
  .transform((raw) => ({
    kind: raw.kind,
    characterId: raw.character_id,
    realmId: raw.realm_id,
    zoneId: raw.zone_id,
    encounterId: raw.encounter_id,
    gold: raw.rewards.gold,
    itemIds: raw.rewards.items.map((item) => item.item_id),
    quantities: raw.rewards.items.map((item) => item.quantity),
  }));
export type CombatRewards = z.output<typeof payload>;

// The rule, once: both applying and looking add in this way. As numeric, so that looking can say what applying would
// refuse: a sum that bigint does not hold.
const plus = (held: string, granted: string) => `(coalesce(${held}, 0)::numeric + ${granted})`;
const granted = (ids: string, quantities: string) =>
  `(select item_id, sum(quantity) as quantity
      from unnest(${ids}::text[], ${quantities}::bigint[]) as item(item_id, quantity) group by item_id)`;

// $1 character · $2 realm · $3 zone · $4 encounter · $5 gold · $6 item ids · $7 quantities · $8 idempotency key
// Its foreign keys are what refuses an unknown character, another realm, and a zone that left the catalog.
const LEDGER: Sql = {
  name: "apply_combat_rewards_ledger",
  text: `
    insert into reward_ledger
      (character_id, realm_id, zone_id, encounter_id, gold, item_ids, quantities, idempotency_key, granted_at)
    values ($1, $2, $3, $4, $5::bigint, $6::text[], $7::bigint[], $8, clock_timestamp())`,
};

// $1 character · $2 gold
const BALANCE: Sql = {
  name: "apply_combat_rewards_balance",
  text: `
    insert into reward_balances (character_id, gold, changed_at) values ($1, $2::bigint, clock_timestamp())
    on conflict (character_id) do update
      set gold = ${plus("reward_balances.gold", "excluded.gold")}::bigint, changed_at = excluded.changed_at`,
};

// $1 character · $2 item ids · $3 quantities
const ITEMS: Sql = {
  name: "apply_combat_rewards_items",
  text: `
    insert into reward_items (character_id, item_id, quantity, changed_at)
    select $1::uuid, item_id, quantity::bigint, clock_timestamp() from ${granted("$2", "$3")} as g order by item_id
    on conflict (character_id, item_id) do update
      set quantity = ${plus("reward_items.quantity", "excluded.quantity")}::bigint, changed_at = excluded.changed_at`,
};

// $1 character · $2 realm · $3 zone · $4 gold · $5 item ids · $6 quantities
const EFFECTS: Sql = {
  name: "effects_combat_rewards",
  text: `
    with target as (
      select c.character_id from (select 1) as one
        left join characters c on c.character_id = $1 and c.realm_id = $2
    ), lines as (
      select 'gold' as field, $4::numeric as amount, b.gold as held
        from target t left join reward_balances b on b.character_id = t.character_id
      union all
      select 'items.' || g.item_id, g.quantity, i.quantity
        from target t cross join ${granted("$5", "$6")} as g
        left join reward_items i on i.character_id = t.character_id and i.item_id = g.item_id
    )
    select l.field, l.amount::text as payload,
           case when t.character_id is not null then coalesce(l.held, 0)::text end as now,
           case when t.character_id is not null and ${plus("l.held", "l.amount")} <= 9223372036854775807
             then ${plus("l.held", "l.amount")}::text end as after,
           case when l.amount = 0 then 'same' else 'adds' end as change
      from lines l cross join target t
    union all ${catalogEffect("$3::text")}`,
};

/** What a fight earned. Additive: it adds to whatever is there by then. */
export const combatRewards: Kind<CombatRewards> = {
  name: "combat_rewards",
  semantics: "additive",
  payload,
  encode({ encounterId, gold, itemIds, quantities, ...payload }) {
    const items = itemIds.map((id, index) =>
      jsonObject({ item_id: JSON.stringify(id), quantity: quantities[index] ?? "0" }),
    );
    return jsonObject({
      ...encodeHead(payload),
      encounter_id: JSON.stringify(encounterId),
      rewards: jsonObject({ gold, items: `[${items.join(",")}]` }),
    });
  },
  async apply(db, { characterId, realmId, zoneId, encounterId, gold, itemIds, quantities }, { idempotencyKey }) {
    // The character's row first, as in every write. Where there is none, the ledger's foreign key says so.
    await execute(db, BUMP, [characterId, realmId]);
    await execute(db, LEDGER, [characterId, realmId, zoneId, encounterId, gold, itemIds, quantities, idempotencyKey]);
    await execute(db, BALANCE, [characterId, gold]);
    if (itemIds.length > 0) await execute(db, ITEMS, [characterId, itemIds, quantities]);
    return "applied";
  },
  effects(db, { characterId, realmId, zoneId, gold, itemIds, quantities }) {
    return many(db, EFFECTS, EffectRow, [characterId, realmId, zoneId, gold, itemIds, quantities]);
  },
};
