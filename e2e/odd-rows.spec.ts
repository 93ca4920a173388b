import { expect, type Page, test } from "playwright/test";
import { insertOddRows } from "@/scripts/testing/odd-rows";
import { type Product, QUIET_ENGINE, startProduct } from "@/scripts/testing/product";
import { until } from "@/scripts/testing/until";
import { untilArchived } from "./pages/archive";
import { preflight, setUp } from "./pages/desk";

let product: Product;
let odd: Awaited<ReturnType<typeof insertOddRows>>;
test.beforeAll(async () => {
  product = await startProduct({ env: QUIET_ENGINE });
  const engine = product.pool("engine");
  await until(
    async () => (await engine.query("select to_regclass('reward_ledger') is not null as made")).rows[0]?.made,
  );
  odd = await insertOddRows(engine);
});
test.afterAll(() => product.end({ forget: true }));

/** A page must not carry an odd row's megabytes to the browser, nor take long over them. */
const HTML_MAX = 1_500_000;
const SHOWN_WITHIN_MS = 12_000;

/** Opens a page, and sees to it that it came whole, in time, not too large, and that nothing in it ran. */
async function open(page: Page, path: string): Promise<void> {
  const startedMs = performance.now();
  const response = await page.goto(`${product.url}${path}`);
  expect(response?.status(), path).toBe(200);
  expect((await response?.body())?.length, path).toBeLessThan(HTML_MAX);
  await expect(page.locator("main#main"), path).toBeVisible();
  expect(performance.now() - startedMs, path).toBeLessThan(SHOWN_WITHIN_MS);
  expect(await page.evaluate(() => "pwned" in window), path).toBe(false);
  await expect(page.getByRole("heading", { name: /could not be (read|shown)/i }), path).toHaveCount(0);
}

test("odd rows are listed and opened in bounded time and size, run nothing, and stay as they are", async ({ page }) => {
  test.setTimeout(300_000);
  const engine = product.pool("engine");
  const bytes = async () =>
    (
      await engine.query(
        `select md5(string_agg(md5(payload), ',' order by dead_letter_id)) as letters,
                (select md5(string_agg(md5(payload), ',' order by retry_job_id)) from persistence_retry_jobs) as jobs
           from persistence_job_dead_letters`,
      )
    ).rows[0];
  const before = await bytes();
  await setUp(page, product);
  const failures: string[] = [];
  page.on("pageerror", (error) => failures.push(error.message));

  await open(page, "/");
  await open(page, "/retries");
  const table = (name: string) => page.getByRole("table", { name }).locator("tr[data-row]");
  await expect(table("Retry rows")).toHaveCount(odd.size);
  await untilArchived(product);
  await open(page, "/dead-letters");
  const causes = ["错误 n 无法写入奖励", "خطأ n تعذر الحفظ", "🐉🔥 ?! %_%"];
  for (const cause of causes) await expect(table("Errors").filter({ hasText: cause }), cause).toHaveCount(1);
  await open(page, "/dead-letters?view=list");
  await expect(table("Dead letters")).toHaveCount(odd.size);
  for (const error of ["错误 418 无法写入奖励", "خطأ 12 تعذر الحفظ", "🐉🔥 ?! %_%", "80085 17 99"])
    await expect(table("Dead letters").filter({ hasText: error }), error).toHaveCount(1);
  for (const [name, { letterId, jobId }] of odd) {
    await open(page, `/dead-letters/persistence-retry/${letterId}`);
    await expect(preflight(page), name).toBeVisible();
    await open(page, `/retries?job=${jobId}`);
  }
  // What cannot be decoded is blocked in words, and has no control.
  for (const name of ["not JSON", "nothing at all"]) {
    await open(page, `/dead-letters/persistence-retry/${odd.get(name)?.letterId}`);
    await expect(preflight(page).getByText("The payload cannot be decoded")).toBeVisible();
    await expect(page.getByRole("button", { name: /^Requeue/ })).toHaveCount(0);
  }
  // Characters are shown by what they are, numbers by their digits.
  await open(page, `/dead-letters/persistence-retry/${odd.get("integers over 2^53")?.letterId}`);
  await expect(page.getByText("9007199254740993").first()).toBeVisible();
  await open(page, `/dead-letters/persistence-retry/${odd.get("emoji and markup")?.letterId}`);
  await expect(page.getByText("👩‍👩‍👧").first()).toBeVisible();
  expect(failures).toEqual([]);
  expect(await bytes()).toEqual(before);
});
