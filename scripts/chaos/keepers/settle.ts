import { setTimeout as sleep } from "node:timers/promises";
import { verifyAudit } from "@/lib/console/audit/verify";
import { checkConservation } from "@/lib/engine/testing/conservation";
import { goOn } from "@/scripts/chaos/chaos";
import { untilNothingWaits } from "@/scripts/chaos/drain";
import { count, violated } from "@/scripts/chaos/tally";
import { archiveViolations } from "@/scripts/testing/archive-conservation";
import type { Stage } from "./stage";

/** A keeper's walk comes by each id again within minutes, and an answer that was lost is given up after one. */
const WITHIN_MS = 240_000;

/** Each requeue of the desk is ended, with its two lines in the audit, and its outcome is what the store says. */
const OPERATIONS = `
  select 'operation ' || o.operation_id || ' is ' || o.state as what from backstop.operations o where o.state in ('intended', 'unknown')
  union all
  select 'operation ' || o.operation_id || ' has ' || a.lines || ' lines in the audit' from backstop.operations o
    cross join lateral (select count(*) filter (where phase = 'intent') || ' + ' || count(*) filter (where phase = 'outcome') as lines
      from backstop.audit a where a.operation_id = o.operation_id) as a
   where o.state in ('answered', 'not_sent') and a.lines <> '1 + 1'
  union all
  select 'letter ' || i.letter_id || ' is requeued to ' || coalesce(i.outcome, 'nothing') || ', and is ' || coalesce(t.outcome, 'nothing')
    from backstop.operation_items i left join public.persistence_retry_outcomes t on t.retry_job_id::text = i.new_job_id
   where i.answer = 'requeued' and i.outcome is distinct from t.outcome`;

async function look({ admin, bursts }: Stage): Promise<string[]> {
  const operations = await admin.query(OPERATIONS);
  const audit = (await verifyAudit(admin)).findings.map(({ sentence }) => sentence);
  return [...(await archiveViolations(admin, bursts.forgotten)), ...operations.rows.map((row) => row.what), ...audit];
}

/** Nothing disturbs the keepers any more: all that died must come to be kept as what it is, and whatever is wrong then stays. */
export async function settle(stage: Stage): Promise<void> {
  const { chaos, admin } = stage;
  await stage.calm();
  await untilNothingWaits(chaos, "keeper kills");
  chaos.say("the engine has worked off all that was queued");
  const startedMs = performance.now();
  let wrong = await look(stage);
  while (wrong.length > 0 && performance.now() < startedMs + WITHIN_MS) {
    await sleep(2_000);
    goOn(chaos);
    wrong = await look(stage);
  }
  count(chaos.tally, "seconds until all was kept", Math.round((performance.now() - startedMs) / 1_000));
  const engine = await checkConservation(chaos.pool, chaos.book);
  for (const violation of [...wrong.slice(0, 50), ...engine.violations]) violated(chaos.tally, violation);
  const { rows } = await admin.query(
    "select state, count(*)::int as n from backstop.dead_letters group by 1 order by 1",
  );
  for (const { state, n } of rows) count(chaos.tally, `archived letters: ${state}`, n);
}
