import { expect, test } from "playwright/test";
import { makeFixedWorld } from "@/scripts/testing/fixed-world";
import { type Product, QUIET_ENGINE, startProduct } from "@/scripts/testing/product";
import { makeSampledIncident } from "@/scripts/testing/sampled-incident";
import { setUp } from "./pages/desk";

// An hour that the keeper sampled: seen, read with the keyboard, narrowed, and read as a table.

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ env: QUIET_ENGINE });
  await makeFixedWorld(product.pool("engine"));
  await makeSampledIncident(product.pool("backstop_own"));
});
test.afterAll(() => product?.end({ forget: true }));

test("the backlog over time: read by the keys, narrowed by drawing, the same as a table, on both pages", async ({
  page,
}) => {
  await setUp(page, product);
  const backlog = page.getByRole("figure", { name: /^Backlog of persistence-retry, / });
  await expect(backlog.locator("path.bars").first()).toBeAttached();
  await expect(page.getByRole("figure", { name: /^Settled in persistence-retry, / })).toBeVisible();

  // Each arrow reads one bin; Escape lets go.
  const reading = backlog.getByRole("slider", { name: "Backlog age of persistence-retry, by time" });
  await reading.focus();
  for (let step = 0; step < 20; step += 1) await page.keyboard.press("ArrowLeft");
  await expect(reading).toHaveAttribute("aria-valuetext", /^\d\d:\d\d:\d\d UTC: under 10s \d+, .*oldest \d+m \d\ds$/);
  const told = await reading.getAttribute("aria-valuetext");
  await expect(page.locator(".ctip")).toHaveCount(1);
  await expect(page.locator(".xhair")).toHaveCount(await page.getByRole("slider").count());

  // The table has the same numbers, the newest first.
  await backlog.getByRole("button", { name: "Show as table" }).click();
  const [clock = "", rest = ""] = (told ?? "").split(" UTC: ");
  const row = backlog.getByRole("row").filter({ hasText: clock });
  const [, youngest = ""] = /under 10s ([\d,]*\d)/.exec(rest) ?? [];
  await expect(row.getByRole("cell").first()).toHaveText(youngest);
  // Nobody read for two minutes of it: a gap, not a zero.
  await expect(backlog.getByRole("row").filter({ hasText: "no reading" }).first()).toBeAttached();

  // Shift draws, Enter takes it as the range; Back returns.
  await reading.focus();
  for (let step = 0; step < 20; step += 1) await page.keyboard.press("ArrowLeft");
  for (let step = 0; step < 20; step += 1) await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\?from=\d{4}-\d\d-\d\dT[\d:]+Z&to=\d{4}-\d\d-\d\dT[\d:]+Z$/);
  const range = page.getByRole("navigation", { name: "Range of the charts" });
  await expect(range.getByRole("link", { name: / to / })).toHaveAttribute("aria-current", "page");
  await page.goBack();
  await expect(range.getByRole("link", { name: "1 h", exact: true })).toHaveAttribute("aria-current", "page");

  // The pointer draws as well.
  const box = await reading.boundingBox();
  if (!box) throw new Error("the plot has no place");
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/\?from=.*&to=/);

  await range.getByRole("link", { name: "24 h" }).click();
  await expect(page).toHaveURL(`${product.url}/?range=24h`);
  await expect(page.getByText("10 min bars").first()).toBeVisible();

  await page.goto(`${product.url}/retries?state=expired`);
  await expect(page.getByRole("figure")).toHaveCount(0);
  await page.getByRole("link", { name: "Show the backlog over time" }).click();
  await expect(page).toHaveURL(/state=expired&range=1h$/);
  await expect(backlog).toBeVisible();
});

test("signals stand in words, each with its rows and its line of the runbook; a forecast says what it is made of", async ({
  page,
}) => {
  await product
    .pool("backstop_own")
    .query("update backstop.samples_minute set lost_leases = 3 where queue = 'persistence-retry'");
  await page.goto(`${product.url}/sign-in`);
  await page.getByLabel("Username").fill("maya");
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  const signals = page.getByRole("region", { name: "Signals" });
  const leasing = signals.getByRole("listitem").filter({ hasText: "Rows leased again and again: Stands out" });
  await expect(leasing).toContainText(/\d+ leases were lost in the last 15 min\./);
  await expect(leasing.getByRole("link", { name: /the rows$/ })).toHaveAttribute(
    "href",
    "/retries?queue=persistence-retry&state=expired",
  );
  await expect(signals.getByRole("listitem").filter({ hasText: "Durable only: Not told" })).toBeVisible();
  await leasing.getByRole("link", { name: "Runbook: Rows leased again and again" }).click();
  await expect(page).toHaveURL(`${product.url}/runbook#lost-leases`);
});
