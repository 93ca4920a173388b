import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { expect, type Page, type Request } from "playwright/test";
import { createRpcClient } from "@/lib/internal-rpc/client";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import { readSecrets } from "@/scripts/services/secrets";
import type { Product } from "@/scripts/testing/product";
import { until } from "@/scripts/testing/until";
import { outcome, preflight, replay, requeueButton } from "./desk";

const QUEUE = "persistence-retry";

/** Requeues letters through the engine's signed endpoint, as a tool of the game's own would: this desk knows nothing of it. */
export async function requeueElsewhere(product: Product, enginePort: number, letterIds: string[]): Promise<void> {
  const client = createRpcClient({
    engineUrl: `http://127.0.0.1:${enginePort}`,
    audience: "engine.backstop.internal",
    keys: parseRpcKeys(readSecrets(product.stateDir).rpcKeys),
  });
  const operationId = randomUUID();
  let left = letterIds;
  // Whose turn does not come within one call's time comes with the next one.
  await until(async () => {
    const items = left.map((id) => ({ dead_letter_id: id }));
    const answer = await client.requeueBatch(operationId, items, "a-tool-of-the-game");
    if (answer.kind !== "ok") throw new Error(`not requeued: ${JSON.stringify(answer)}`);
    const { answers } = answer.value;
    expect(answers.filter((each) => each.answer !== "requeued")).toEqual([]);
    left = left.filter((id) => !answers.some((each) => each.dead_letter_id === id));
    return left.length === 0;
  }, 60_000);
}

/** The newest plan of a letter, and what of it must be acknowledged. */
const PLAN = `select o.operation_id::text as "operationId", o.state, array(select f ->> 'code' from jsonb_array_elements(i.findings) f
      where f ->> 'severity' in ('warn', 'unknown')) as acknowledged
    from backstop.operations o join backstop.operation_items i using (operation_id)
    where i.letter_id = $1 order by o.planned_at desc limit 1`;

/**
 * Requeues letters as this page's user: the first with a click, the others by the same two actions. Each plan is the
 * desk's own; `ends`: what the page says that became of the first.
 */
export async function requeueByDesk(
  page: Page,
  product: Product,
  [first = "", ...others]: string[],
  { reason, ends }: { reason: string; ends: RegExp },
): Promise<void> {
  const planning = sending(page, first);
  await page.goto(`${product.url}/dead-letters/${QUEUE}/${first}`);
  const plan = await planning;
  await expect(page.getByText("Requeue this letter")).toBeVisible();
  await expect(page.getByText("The plan is being made.")).toHaveCount(0);
  for (const warning of await preflight(page).getByRole("checkbox").all()) await warning.check();
  await preflight(page)
    .getByLabel(/^Reason/)
    .fill(reason);
  const pressing = sending(page, reason);
  await requeueButton(page).click();
  const press = await pressing;
  await expect(outcome(page).getByText(ends)).toBeVisible();
  const own = product.pool("backstop_own");
  const found = async (id: string) => (await own.query(PLAN, [id])).rows[0];
  for (const id of others) {
    // A finding that came up between plan and click makes another plan, which is pressed then.
    await until(async () => {
      await replay(page, product, plan, plan.postData()?.replaceAll(first, id));
      const { operationId, acknowledged } = await found(id);
      await replay(page, product, press, JSON.stringify([{ queue: QUEUE, operationId, acknowledged, reason }]));
      return (await found(id)).state === "answered";
    });
  }
}

/** The next action that this page sends with some text among its arguments. */
const sending = (page: Page, text: string): Promise<Request> =>
  page.waitForRequest(
    (request) => request.headers()["next-action"] !== undefined && (request.postData() ?? "").includes(text),
  );

/** Resolves the newest open letters of a kind, a page of them, with one reason. Answers how many. */
export async function resolvePage(page: Page, product: Product, kind: string, reason: string): Promise<number> {
  await page.goto(`${product.url}/dead-letters?view=list&kind=${kind}`);
  const rows = page.getByRole("table", { name: "Dead letters" }).locator("tr[data-row]");
  const bar = page.getByRole("form", { name: "Selection" });
  const letters = await rows.count();
  await expect(async () => {
    // Ticked before the page's script has come, it ticks nothing.
    if (!(await bar.isVisible())) await page.getByLabel("Select all open letters of this page").click();
    await expect(bar).toContainText(`${letters} selected`, { timeout: 1_000 });
  }).toPass();
  await bar.getByLabel("Reason for resolving").fill(reason);
  await bar.getByRole("button", { name: `Resolve ${letters} letters` }).click();
  await expect(bar).toHaveCount(0);
  return letters;
}

const UNSETTLED = `
  select (select count(*) from persistence_retry_jobs) + (
    select count(*) from persistence_job_dead_letters l
      left join persistence_retry_outcomes o on o.dead_letter_id = l.dead_letter_id
      left join backstop.dead_letters d on d.queue = 'persistence-retry' and d.letter_id = l.dead_letter_id::text
     where d.state is distinct from coalesce(o.outcome, case when d.state = 'resolved' then 'resolved' else 'open' end)) as unsettled`;

/** Until the engine has nothing left to do, and the archive has seen all that it did. `all` sees both their tables. */
export async function untilSettled(all: Pool): Promise<void> {
  await until(async () => (await all.query(UNSETTLED)).rows[0].unsettled === "0", 60_000);
}
