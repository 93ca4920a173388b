import { expect, type Page } from "playwright/test";
import { archiveLetter } from "@/scripts/testing/archived-letters";
import { makeFixedWorld } from "@/scripts/testing/fixed-world";
import { type Product, QUIET_ENGINE, startProduct } from "@/scripts/testing/product";
import { makeSampledIncident } from "@/scripts/testing/sampled-incident";
import { setUp, signIn } from "./pages/desk";
import { test } from "./pages/test";

// An hour that the keeper sampled: seen, read with the keyboard, narrowed, and read as a table.

let product: Product;
test.beforeAll(async () => {
  // The desk's processes are in New York, its database in UTC.
  product = await startProduct({ env: { ...QUIET_ENGINE, TZ: "America/New_York" } });
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
  // Told as soon as the engine's counters were read in two minutes.
  await expect(signals.getByRole("listitem").filter({ hasText: /Durable only: (Not told|Quiet)/ })).toBeVisible();
  await leasing.getByRole("link", { name: "Runbook: Rows leased again and again" }).click();
  await expect(page).toHaveURL(`${product.url}/runbook#lost-leases`);
});

test("read in Kathmandu, in New York and in UTC: charts, bins, brush and addresses are of one clock; the reader's own is in the tip alone", async ({
  browser,
  page,
}) => {
  const own = product.pool("backstop_own");
  await product.pool("postgres").query("select backstop.make_dead_letters_month('2025-11-01')");
  for (const minute of ["05:10", "05:59", "06:00", "06:40"])
    await archiveLetter(own, { diedAt: `2025-11-02T${minute}:30Z` });
  const minuteMs = Math.floor(Date.now() / 60_000) * 60_000;
  const [from, to] = [minuteMs - 32 * 60_000, minuteMs - 2 * 60_000].map((ms) => new Date(ms).toISOString());
  await signIn(page, product);
  const cookies = await page.context().cookies();
  const seen = [];
  for (const timezoneId of ["UTC", "Asia/Kathmandu", "America/New_York"]) {
    const context = await browser.newContext({ timezoneId, viewport: { width: 1440, height: 900 } });
    await context.addCookies(cookies);
    seen.push(await readTimes(await context.newPage(), `from=${from?.slice(0, 19)}Z&to=${to?.slice(0, 19)}Z`));
    await context.close();
  }
  const [utc, kathmandu, newYork] = seen;
  expect(utc?.faults).toEqual([]);
  expect(utc?.written.drawn).toMatch(/^\?from=[\d-]{10}T[\d:]{8}Z&to=[\d-]{10}T[\d:]{8}Z$/);
  expect(utc?.written.brushed).toContain("died=2025-11-02T06:00:00Z..2025-11-02T07:00:00Z");
  expect([kathmandu?.written, newYork?.written]).toEqual([utc?.written, utc?.written]);
  const died = "2025-11-02 06:40:30 UTC";
  expect(seen.map(({ tip }) => tip.split("\n").slice(0, -1))).toEqual([
    [died],
    [died, "12:25:30 Asia/Kathmandu (UTC+5:45)"],
    [died, "01:40:30 America/New_York (UTC-5)"],
  ]);
});

/** New York's clocks went back at 06:00 UTC on that day: the hour from 01:00 came twice there. */
const TWICE = "2025-11-02T05:00:00Z..2025-11-02T07:00:00Z";

/** Everything that pages say of times: of a stretch of the charts, and of letters on the day of that change. */
async function readTimes(page: Page, range: string) {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));

  await page.goto(`${product.url}/?${range}`);
  const backlog = page.getByRole("figure", { name: /^Backlog of persistence-retry, / });
  await expect(backlog.locator("path.bars").first()).toBeAttached();
  await backlog.getByRole("button", { name: "Show as table" }).click();
  const charts = {
    label: await backlog.getAttribute("aria-label"),
    axis: await backlog.locator(".xax text").allTextContents(),
    bins: await backlog.locator("th[scope=row]").allTextContents(),
  };
  await backlog.getByRole("slider").focus();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowLeft");
  for (let step = 0; step < 20; step += 1) await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).search).not.toBe(`?${range}`);
  const drawn = new URL(page.url()).search;

  await page.goto(`${product.url}/dead-letters?state=all&view=list&died=${TWICE}&span=${TWICE}`);
  await expect(page.locator("tr[data-row]")).toHaveCount(4);
  const histogram = page.locator("figure.histo");
  const start = page.getByRole("button", { name: /^Start of range/ });
  const of = (locator: string, name: string) =>
    page.locator(locator).evaluateAll((all, asked) => all.map((each) => each.getAttribute(asked)), name);
  const review = {
    label: await histogram.getAttribute("aria-label"),
    axis: await histogram.locator(".xax text").allTextContents(),
    bars: await of("figure.histo rect", "x"),
    start: await start.getAttribute("aria-label"),
    chip: await page.locator("[data-facet=died]").textContent(),
    died: await of("tr[data-row] time", "datetime"),
  };
  await page.locator("tr[data-row] time").first().hover();
  // Some browsers know that zone by its older name.
  const tip = ((await page.getByRole("tooltip").textContent()) ?? "").replace("Katmandu", "Kathmandu");
  await start.focus();
  // To 06:00, where the hour begins again in New York.
  for (let step = 0; step < 12; step += 1) await page.keyboard.press("Shift+ArrowRight");
  await expect(page.locator("tr[data-row]")).toHaveCount(2);
  const brushed = decodeURIComponent(new URL(page.url()).search);
  return { faults, tip, written: { charts, drawn, review, brushed } };
}
