import type { Product } from "@/scripts/testing/product";
import { until } from "@/scripts/testing/until";

const DEAD = "select dead_letter_id::text as id from persistence_job_dead_letters where requeued_at is null";
const OPEN = "select letter_id as id from backstop.dead_letters where state in ('open', 'resolved')";

/** Until the archive holds every dead letter of the product's own store as such: it follows a second or two behind. */
export async function untilArchived(product: Product): Promise<void> {
  const [game, own] = [product.pool("backstop_read"), product.pool("backstop_own")];
  await until(async () => {
    const [dead, open] = await Promise.all([game.query(DEAD), own.query(OPEN)]);
    const known = new Set(open.rows.map(({ id }) => id));
    return known.size === dead.rows.length && dead.rows.every(({ id }) => known.has(id));
  }, 30_000);
}
