import { findQueue } from "@/lib/queues";
import { type ContractBench, queueContract } from "@/lib/queues/contract";
import { startEngine } from "@/scripts/testing/engine";
import { makeLetter } from "@/scripts/testing/game";
import { insertOddRows } from "@/scripts/testing/odd-rows";
import { openStores } from "@/scripts/testing/stores";

async function open(): Promise<ContractBench> {
  const stores = await openStores();
  const engine = await startEngine(stores, { PERSISTENCE_RETRY_POLL_MILLIS: "600000" });
  const [game, reader] = [stores.pool("engine"), stores.pool("backstop_read")];
  const queue = findQueue("persistence-retry", { game: reader, redis: null, rpc: engine.client() });
  if (!queue) throw new Error("there is no such queue");
  const count = async (text: string, values: unknown[] = []): Promise<number> =>
    (await game.query(text, values)).rows[0].count;
  return {
    queue,
    async die(letters) {
      const ids: string[] = [];
      for (let n = 0; n < letters; n += 1) ids.push((await makeLetter(game)).letterId);
      return ids;
    },
    dieOddly: async () => {
      const made = [...(await insertOddRows(game)).values()];
      return made.map(({ letterId }) => letterId);
    },
    countDead: () => count("select count(*)::int from persistence_job_dead_letters where requeued_at is null"),
    countWaiting: () =>
      count(
        "select count(*)::int from persistence_retry_jobs where lease_expires_at is null and next_attempt_at <= now()",
      ),
    countJobsOf: (letterId) =>
      count(
        `select ((select count(*) from persistence_retry_jobs where requeued_from = $1)
          + (select count(*) from persistence_retry_outcomes where dead_letter_id = $1))::int as count`,
        [letterId],
      ),
    async snapshot() {
      const digest = async (table: string) =>
        (await game.query(`select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as is from ${table} t`))
          .rows[0].is;
      return `${await digest("persistence_job_dead_letters")} ${await digest("persistence_retry_jobs")}`;
    },
    async close() {
      await engine.end();
      await stores.close();
    },
  };
}

queueContract("persistence-retry", open);
