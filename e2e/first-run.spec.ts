import { expect } from "playwright/test";
import { type Product, startProduct } from "@/scripts/testing/product";
import { outcome, preflight, requeueButton, setUp } from "./pages/desk";
import { test } from "./pages/test";

let product: Product;
test.beforeAll(async () => {
  test.setTimeout(300_000);
  product = await startProduct({ empty: true });
});
test.afterAll(() => product?.end({ forget: true }));

test("a newcomer finds a write that really failed, mends its cause, puts it back and sees it recover, within two minutes", async ({
  page,
}) => {
  const startedAt = Date.now();
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(`${page.url()}: ${error.message}`));
  await setUp(page, product);

  await page
    .getByRole("navigation", { name: "Main", exact: true })
    .getByRole("link", { name: /^Dead letters/ })
    .click();
  await page.waitForURL("**/dead-letters**");
  const row = page.getByRole("row").filter({ hasText: "combat_rewards" }).first();
  await expect(async () => {
    await page.goto(`${product.url}/dead-letters?view=list`);
    await expect(row).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 75_000 });
  await row.getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name: /^combat_rewards for / })).toBeVisible();
  await expect(
    page.getByText(/ERROR 23503: insert or update on table "reward_ledger" violates foreign key/),
  ).toBeVisible();
  await expect(page.getByText(/redacted, \d+ bytes/).first()).toBeVisible();
  const letterUrl = page.url();
  const letterId = letterUrl.split("/").at(-1);

  await page.goto(product.url);
  await page.getByRole("button", { name: /^Mend/ }).click();
  await expect(page.getByText(/mended/i).first()).toBeVisible();

  // Writes of this kind failed until a moment ago; a few seconds after the mend nothing warns of it any more.
  await expect(async () => {
    await page.goto(letterUrl);
    await expect(preflight(page).getByText("Idempotency key not applied")).toBeVisible();
    await expect(preflight(page).getByText("Warning", { exact: true })).toHaveCount(0, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
  const game = product.pool("backstop_read");
  const before = await worldOf(game, letterId);
  await requeueButton(page).click();
  await expect(outcome(page).getByText(/^Recovered in /)).toBeVisible({ timeout: 30_000 });
  expect(Date.now() - startedAt).toBeLessThan(120_000);

  const after = await worldOf(game, letterId);
  expect(BigInt(after.gold)).toBe(BigInt(before.gold) + BigInt(before.granted));
  expect(after).toMatchObject({ ledgered: before.granted, live: 0, outcome: "recovered" });

  // The archive follows a second or two behind.
  await expect(async () => {
    await page.goto(`${product.url}/dead-letters?state=recovered&view=list`);
    await expect(page.locator(`a[href*="${letterId}"]`).first()).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  expect(broken).toEqual([]);
});

/** What the character owns, and what the letter's payload says that it is owed. */
async function worldOf(game: ReturnType<Product["pool"]>, letterId: string | undefined) {
  const { rows } = await game.query(
    `select coalesce((select b.gold from reward_balances b where b.character_id = l.character_id), 0)::text as gold,
       (l.payload::json -> 'payload' -> 'rewards' ->> 'gold') as granted,
       (select g.gold::text from reward_ledger g where g.idempotency_key = l.payload::json -> 'idempotency' ->> 'key') as ledgered,
       (select count(*)::int from persistence_retry_jobs j where j.character_id = l.character_id and j.job_kind = l.job_kind) as live,
       (select o.outcome from persistence_retry_outcomes o where o.dead_letter_id = l.dead_letter_id) as outcome
     from persistence_job_dead_letters l where l.dead_letter_id = $1`,
    [letterId],
  );
  return rows[0] as { gold: string; granted: string; ledgered: string | null; live: number; outcome: string | null };
}
