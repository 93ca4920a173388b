import { randomBytes, randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { expect, type Page } from "playwright/test";
import { JOURNAL_KEYS } from "@/lib/queues/session-lifecycle/keys";
import { untilJournalLooked } from "@/scripts/testing/fixed-journal";
import { cleanupItem, dieInJournal, entryBytes, letterBytes } from "@/scripts/testing/journal";
import { type Product, QUIET_ENGINE, startProduct } from "@/scripts/testing/product";
import { productRedis } from "@/scripts/testing/product-redis";
import { until } from "@/scripts/testing/until";
import { outcome, preflight, requeueButton, setUp } from "./pages/desk";
import { test } from "./pages/test";

let product: Product;
let redis: Redis;
test.beforeAll(async () => {
  product = await startProduct({ env: QUIET_ENGINE });
  redis = productRedis(product);
  await untilJournalLooked(redis);
});
test.afterAll(async () => {
  redis?.disconnect();
  await product?.end({ forget: true });
});

const SCRIPT = '<script>window.pwned = 1</script><img src=x onerror="window.pwned = 2">';
const rowsOf = (page: Page, table: string) => page.getByRole("table", { name: table }).getByRole("row");

/** Opens a page, and sees to it that it came whole and that nothing in it ran. */
async function open(page: Page, path: string): Promise<void> {
  const response = await page.goto(`${product.url}${path}`);
  expect(response?.status(), path).toBe(200);
  expect((await response?.body())?.length, path).toBeLessThan(1_500_000);
  await expect(page.locator("main#main"), path).toBeVisible();
  expect(await page.evaluate(() => "pwned" in window), path).toBe(false);
}

test("whatever stands in the journal's lists is shown, found and judged; one whose player is back is blocked and says so", async ({
  page,
}) => {
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
  const odd = [
    Buffer.alloc(0),
    Buffer.from(SCRIPT),
    Buffer.from([0xff, 0x00, 0xfe]),
    Buffer.concat([Buffer.from("{"), randomBytes(5_000_000)]),
  ];
  const twin = entryBytes({ enqueuedAt: ago(30_000) });
  await redis.lpush(JOURNAL_KEYS.pending, entryBytes({ enqueuedAt: ago(250_000) }), ...odd, twin, twin);
  await redis.hset(JOURNAL_KEYS.runtimes, "game-7", String(Date.now() - 90_000));
  await redis.lpush(JOURNAL_KEYS.processingOf("game-7"), entryBytes());

  const token = `token-${randomUUID()}`;
  const done = cleanupItem({ plan: "confirmed_transfer", transfer_activation_confirmed: true });
  const [back = "", mends = ""] = await dieInJournal(redis, [
    { item: cleanupItem({ session_token: token }), error: `refused: ${token} ${SCRIPT}`, diedAt: ago(900_000) },
    { item: done, error: "ERROR 23503: no zone", diedAt: ago(800_000) },
  ]);
  await redis.lpush(JOURNAL_KEYS.deadLetter, ...odd, letterBytes({ entryId: "", item: Buffer.from([0xff]) }));
  await redis.hset(`session:active:${token}`, "since", ago(212_000), "character", randomUUID());

  await setUp(page, product);
  const journal = page.getByRole("row").filter({ hasText: "session-lifecycle" });
  await expect(journal.locator('td[data-l="Due"]')).toHaveText("7");
  await journal.locator('td[data-l="Due"] a').click();
  await expect(page).toHaveURL(`${product.url}/lists?queue=session-lifecycle&list=pending`);
  await expect(rowsOf(page, "Pending")).toHaveCount(8);
  for (const why of ["empty", "not JSON", "not UTF-8"])
    await expect(page.getByText(`Not an entry: ${why}`)).not.toHaveCount(0);
  await expect(page.getByText("2 of the same bytes")).toHaveCount(2);
  const held = page.getByRole("region", { name: "Runtime game-7" });
  await expect(held).toContainText("the next start of a worker brings back what it held");
  await held.getByRole("link", { name: "1" }).click();
  await expect(rowsOf(page, "Processing")).toHaveCount(2);

  await open(page, "/lists?list=dead_letter");
  await expect(rowsOf(page, "Dead letters")).toHaveCount(8);
  const links = page.getByRole("table").locator("a[data-primary]");
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  await expect(page.getByText(token)).toHaveCount(0);
  for (const href of hrefs) {
    await open(page, href);
    await expect(preflight(page)).toBeVisible();
  }

  await open(page, `/dead-letters/session-lifecycle/${back}`);
  await expect(preflight(page)).toContainText("The session is active again");
  await expect(preflight(page)).toContainText("the worker would skip it");
  await expect(page.getByRole("heading", { name: "This letter cannot be requeued" })).toBeVisible();
  await expect(requeueButton(page)).toHaveCount(0);
  expect(await page.content()).not.toContain(token);

  await open(page, `/dead-letters/session-lifecycle/${mends}`);
  const boxes = preflight(page).getByRole("checkbox");
  await expect(requeueButton(page)).toBeVisible();
  for (const box of await boxes.all()) await box.check();
  const reason = preflight(page).getByRole("textbox", { name: "Reason" }).first();
  await reason.fill("the zone was put back");
  await requeueButton(page).click();
  await expect(outcome(page)).toContainText("Recovered", { timeout: 30_000 });
  await until(async () => {
    await page.goto(`${product.url}/dead-letters?state=all&view=list`);
    return (await page.getByRole("row").filter({ hasText: "Recovered" }).count()) === 1;
  });
  // All that is dead is in the list of letters, whatever it is; what woke the worker let it find that some are no entries.
  await expect(async () => {
    await open(page, "/dead-letters?queue=session-lifecycle&state=open&view=list");
    const rows = page.getByRole("table", { name: "Dead letters" }).locator("tr[data-row]");
    expect(await rows.count()).toBe(await redis.llen(JOURNAL_KEYS.deadLetter));
  }).toPass({ timeout: 20_000 });
});
