import { makeFixedAudit } from "@/scripts/testing/fixed-audit";
import { makeFixedJournal } from "@/scripts/testing/fixed-journal";
import { type FixedWorld, makeFixedWorld } from "@/scripts/testing/fixed-world";
import type { Product } from "@/scripts/testing/product";
import { productRedis } from "@/scripts/testing/product-redis";
import { makeSampledIncident } from "@/scripts/testing/sampled-incident";
import { until } from "@/scripts/testing/until";

/** `group`: the number of the error with the most letters. */
export type ShownWorld = FixedWorld & { group: string };

const DEAD = "select count(*)::int as letters from persistence_job_dead_letters";
const KEPT = `select (select count(*)::int from backstop.dead_letters) as letters,
    (select group_id::text from backstop.dead_letters group by group_id order by count(*) desc, group_id limit 1) as "group"`;

/** What every page is shown with: the fixed rows and cleanups, the hour before them as it was sampled, and an archive that has them. */
export async function makeShownWorld(product: Product): Promise<ShownWorld> {
  const [game, own] = [product.pool("engine"), product.pool("backstop_own")];
  const fixed = await makeFixedWorld(game);
  // Not beside what the keeper read while there was nothing yet.
  await own.query("delete from backstop.samples; delete from backstop.samples_minute");
  await makeSampledIncident(own);
  await makeFixedAudit(own, fixed);
  const redis = productRedis(product);
  const journal = await makeFixedJournal(redis);
  redis.disconnect();
  const { letters } = (await game.query(DEAD)).rows[0];
  let group = "";
  await until(async () => {
    const kept = (await own.query(KEPT)).rows[0];
    group = kept.group ?? "";
    return kept.letters === letters + journal;
  });
  return { ...fixed, group };
}
