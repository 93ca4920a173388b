import { type BrowserContext, expect, type Page } from "playwright/test";
import { makeFixedWorld } from "@/scripts/testing/fixed-world";
import { type Product, QUIET_ENGINE, startProduct } from "@/scripts/testing/product";
import { untilArchived } from "./pages/archive";
import { setUp } from "./pages/desk";
import { test } from "./pages/test";

let product: Product;
let session: Awaited<ReturnType<BrowserContext["cookies"]>>;
test.beforeAll(async ({ browser }) => {
  product = await startProduct({ env: QUIET_ENGINE });
  await makeFixedWorld(product.pool("engine"));
  await untilArchived(product);
  const page = await browser.newPage();
  await setUp(page, product);
  session = await page.context().cookies();
  await page.close();
});
test.afterAll(() => product.end({ forget: true }));
test.beforeEach(async ({ page }) => {
  await page.context().addCookies(session);
  await page.goto(product.url);
});

const rows = (page: Page, table: string) => page.getByRole("table", { name: table }).locator("tr[data-row]");
const inRow = (page: Page, queue: string) => page.getByRole("row").filter({ hasText: queue });

test("every number of the Overview opens the rows behind it, a zero too", async ({ page }) => {
  const retry = inRow(page, "persistence-retry");
  for (const [column, state, count] of [
    ["Scheduled", "scheduled", 1],
    ["Retrying", "retrying", 2],
  ] as const) {
    await expect(retry.locator(`td[data-l="${column}"]`)).toHaveText(new RegExp(`${count}$`));
    await retry.locator(`td[data-l="${column}"] a`).click();
    await expect(page).toHaveURL(`${product.url}/retries?queue=persistence-retry&state=${state}`);
    await expect(rows(page, "Retry rows")).toHaveCount(count);
    await page.goBack();
  }
  await retry.locator('td[data-l="Dead"] a').click();
  await expect(page.getByText("21 match in persistence-retry")).toBeVisible();
  await expect(rows(page, "Dead letters")).toHaveCount(21);
  await page.goBack();
  const journal = inRow(page, "session-lifecycle");
  await expect(journal.locator('td[data-l="Scheduled"]')).toContainText("not applicable");
  await expect(journal.locator('td[data-l="Due"]')).toHaveText("0");
});

test("a number by session impact opens its rows; a worker's leases open the rows that it holds", async ({ page }) => {
  await page.getByLabel("Waiting writes of persistence-retry by session impact").getByRole("link").nth(1).click();
  await expect(page).toHaveURL(/\/retries\?.*&impact=SessionDegraded$/);
  await expect(rows(page, "Retry rows").first()).toContainText("Degraded");
  await expect(rows(page, "Retry rows").filter({ hasText: "Scheduled" })).toHaveCount(0);

  await page.goto(`${product.url}/retries`);
  const workers = page.getByRole("complementary", { name: "Leases by worker" });
  await expect(workers).toContainText("2 leases were lost in the last hour, by persist-6d9c-b5r6d (2).");
  await workers.getByRole("region", { name: "Worker persist-6d9c-k2x7f" }).getByRole("link", { name: "3" }).click();
  await expect(page).toHaveURL(`${product.url}/retries?queue=persistence-retry&owner=persist-6d9c-k2x7f`);
  await expect(rows(page, "Retry rows")).toHaveCount(3);
});

test("the runbook is reached from the help and from a row, and opens at its entry", async ({ page }) => {
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  await page.getByRole("link", { name: "Runbook: what to do, by what you see" }).click();
  await expect(page.getByRole("heading", { name: "Runbook", level: 1 })).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();

  await page.goto(`${product.url}/retries?attempts=1`);
  const suspect = rows(page, "Retry rows").filter({ hasText: "Lost 2 leases" });
  await suspect.locator("a[data-primary]").click();
  await expect(page.getByText("claimed alone; at 3 it is dead-lettered unrun.")).toBeVisible();
  await page.getByRole("link", { name: "Runbook: poison" }).click();
  await expect(page).toHaveURL(`${product.url}/runbook#poison`);
  await expect(page.getByRole("heading", { name: /^A payload that kills the process/ })).toBeInViewport();
});

test("a list is walked, opened and filtered with the keyboard alone", async ({ page }) => {
  // Keys pressed before the page's script has come go nowhere.
  await expect(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await expect(page).toHaveURL(`${product.url}/dead-letters`, { timeout: 1_500 });
  }).toPass();
  for (const [path, table, leads] of [
    ["/dead-letters", "Errors", /\/dead-letters\/groups\//],
    ["/dead-letters?view=list", "Dead letters", /\/dead-letters\/persistence-retry\//],
    ["/dead-letters", "Errors", null],
  ] as const) {
    await page.goto(`${product.url}${path}`);
    await expect(rows(page, table).first()).toBeVisible();
    if (leads === null) continue;
    await expect(async () => {
      for (const key of ["j", "j", "k"]) await page.keyboard.press(key);
      await expect(rows(page, table).first()).toHaveAttribute("data-cur", "", { timeout: 500 });
    }).toPass();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(leads);
  }

  const menu = page.getByRole("listbox", { name: "Filter by" });
  await expect(async () => {
    await page.keyboard.press("f");
    await expect(menu).toBeVisible({ timeout: 500 });
  }).toPass();
  await menu.press("k");
  await page.keyboard.press("Enter");
  await page.getByRole("listbox", { name: "Kind" }).press("End");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${product.url}/dead-letters?kind=combat_rewards`);
  await expect(page.getByText("?kind=combat_rewards")).toBeVisible();
  await page.goBack();
  await expect(page.getByText("21 match")).toBeVisible();

  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(rows(page, "Retry rows").first()).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /copy job id/ })).toBeVisible();
  await expect(rows(page, "Retry rows").first().locator("a[data-primary]")).toHaveAttribute("aria-expanded", "true");
});

test("a search finds a letter whatever became of it; a filter that matches nothing says what to widen", async ({
  page,
}) => {
  await page.keyboard.press("/");
  await page.keyboard.type("reward_ledger_zone_id_fkey");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${product.url}/dead-letters?q=reward_ledger_zone_id_fkey`);
  await expect(
    rows(page, "Dead letters").getByText("Recovered").or(page.getByText("Superseded")).first(),
  ).toBeVisible();

  await page.goto(`${product.url}/dead-letters?state=recovered&kind=no_such_kind`);
  await expect(page.getByRole("heading", { name: "Nothing matches these 2 filters" })).toBeVisible();
  await page.getByRole("link", { name: "Remove the kind filter" }).click();
  await expect(page).toHaveURL(`${product.url}/dead-letters?state=recovered`);
  await expect(rows(page, "Errors")).toHaveCount(1);
  await page.getByRole("link", { name: /^List/ }).click();
  await expect(rows(page, "Dead letters")).toHaveCount(1);
});

const place = (at: string) =>
  Buffer.from(JSON.stringify([at, "0193a7f2-0000-7000-8000-0000000d6d80"])).toString("base64url");

const ODD = [
  ["an unknown state", "state=frozen", /There is no state “frozen”/],
  ["a parameter twice", "kind=a&kind=b", /given 2 times/],
  ["10 KB", `kind=${"x".repeat(10_240)}`, /longer than 200 characters/],
  ["a NUL", "kind=%00", /no stored text can have/],
  ["a lone surrogate", "kind=%ED%A0%80", /no stored text can have/],
  ["no stretch of time", "died=soon", { "/dead-letters": /died is not a stretch of time/ }],
  ["no id", "subject=Brannoch", { "/retries": /is not the id of a character/ }],
  ["half a cursor", "after=WyIyMDI2LTEx", /The place in the list was not understood/],
  ["a queue that is not listed", "queue=session-lifecycle", { "/retries": /counted on the Overview, not listed/ }],
  ["a place that is no time", `after=${place("----------")}`, null],
  ["a place after all rows", `after=${place("infinity")}`, null],
] as const;

test("an odd address is a note, never an error", async ({ page }) => {
  for (const path of ["/dead-letters", "/retries"]) {
    for (const [what, query, note] of ODD) {
      await test.step(`${path} with ${what}`, async () => {
        const answer = await page.goto(`${product.url}${path}?${query}`);
        expect(answer?.status()).toBe(200);
        await expect(page.getByRole("toolbar", { name: "Filters" })).toBeVisible();
        const said = note instanceof RegExp || note === null ? note : (note as Record<string, RegExp>)[path];
        if (said) await expect(page.getByRole("status").filter({ hasText: said })).toBeVisible();
      });
    }
  }
});

test("a page held with . stays still; a poll that fails keeps the last reading and says how old it is", async ({
  page,
}) => {
  let polls = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/overview")) polls += 1;
  });
  await expect(() => expect(polls).toBeGreaterThan(1)).toPass();
  await page.keyboard.press(".");
  await page.waitForTimeout(500);
  const held = polls;
  await page.waitForTimeout(4_500);
  expect(polls).toBe(held);
  await page.keyboard.press(".");
  await expect(() => expect(polls).toBeGreaterThan(held)).toPass();

  await page.route("**/api/overview", (route) => route.abort());
  const banner = page.getByRole("status").filter({ hasText: /^Data is \d+ s old\. The desk does not answer\./ });
  await expect(banner).toBeVisible();
  await expect(inRow(page, "persistence-retry").locator('td[data-l="Dead"]')).toHaveText("21");
  await page.unroute("**/api/overview");
  await page.getByRole("button", { name: "Try now" }).click();
  await expect(banner).toBeHidden();
});

test("a damaged address is told so, and no other page can frame the desk", async ({ page }) => {
  for (const path of ["/dead-letters/persistence-retry/%ED%A0%80", "/dead-letters/%", "/%E0%A4%A"]) {
    expect((await page.request.get(product.url + path)).status(), path).toBe(400);
  }
  const headers = (await page.request.get(product.url)).headers();
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(headers["x-content-type-options"]).toBe("nosniff");
});

test("r goes to the form and never onto the button: what is typed then is the reason", async ({ page }) => {
  await page.goto(`${product.url}/dead-letters?view=list`);
  await rows(page, "Dead letters").first().getByRole("link").first().click();
  await expect(page.getByRole("button", { name: /^Requeue 1 letter/ })).toBeEnabled();
  await page.locator("h1").click();
  await expect(page.getByText("The plan is being made.")).toHaveCount(0);
  await page.keyboard.press("r");
  await page.keyboard.type("it is back");
  await expect(page.getByLabel(/^Reason/)).toHaveValue("it is back");
  await expect(page.getByRole("heading", { name: "Requeue this letter" })).toBeVisible();
});
