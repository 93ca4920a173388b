import { z } from "zod";

/** A row of a kind's effects statement. */
export const EffectRow = z.object({
  field: z.string(),
  payload: z.string(),
  now: z.string().nullable(),
  after: z.string().nullable(),
  change: z.enum(["same", "sets", "adds"]),
});

/**
 * The row that tells whether the payload's zone is in the catalog: applying refers to it and changes nothing there.
 * @param zone the SQL of the payload's zone id
 */
export const catalogEffect = (zone: string) => `
  select 'zone_catalog' as field, ${zone} as payload, z.name as now, z.name as after, 'same' as change
    from (select 1) as one left join zone_catalog z on z.zone_id = ${zone}`;

/**
 * The rows that tell whether the payload's items are in the catalog, one an item.
 * @param items the SQL of the payload's item ids, an array of text
 */
export const itemCatalogEffects = (items: string) => `
  (select 'item_catalog' as field, said.item_id as payload, i.name as now, i.name as after, 'same' as change
     from (select distinct item_id from unnest(${items}) as named(item_id)) as said
     left join item_catalog i on i.item_id = said.item_id order by said.item_id)`;
