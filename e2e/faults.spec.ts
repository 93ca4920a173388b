import type { Redis } from "ioredis";
import { expect, type Page } from "playwright/test";
import { JOURNAL_KEYS } from "@/lib/queues/session-lifecycle/keys";
import { type Product, startProduct } from "@/scripts/testing/product";
import { productRedis } from "@/scripts/testing/product-redis";
import { until } from "@/scripts/testing/until";
import { outcome, preflight, requeueButton, setUp } from "./pages/desk";
import { test } from "./pages/test";

// A lease that runs out while somebody looks on, and a worker that looks often: eight faults in four minutes.
const QUICK = {
  PERSISTENCE_RETRY_LEASE_MILLIS: "4000",
  PERSISTENCE_RETRY_TRANSACTION_MILLIS: "1500",
  PERSISTENCE_RETRY_POLL_MILLIS: "500",
  SESSION_LIFECYCLE_LIMIT: "2",
  SESSION_LIFECYCLE_INTERVAL_MILLIS: "500",
  SESSION_LIFECYCLE_GONE_MILLIS: "4000",
};
/** A fault takes as long as its leases and timeouts; a machine with other work, several times that. */
const SHOWN = { timeout: 90_000 };

let product: Product;
let page: Page;
let redis: Redis;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  product = await startProduct({ env: QUICK });
  redis = productRedis(product);
  page = await browser.newPage();
  await setUp(page, product);
  await page.getByRole("button", { name: "Mend it" }).click();
  await expect(result()).toHaveText(/^Mended/);
});
test.afterAll(async () => {
  await page?.close();
  redis?.disconnect();
  await product?.end({ forget: true });
});
test.beforeEach(async () => {
  test.setTimeout(240_000);
  await overview();
});

const JOURNAL_LETTERS = "/dead-letters?queue=session-lifecycle&state=open&view=list";
/** The pages of the journal's open letters. */
async function letters(): Promise<string[]> {
  await page.goto(product.url + JOURNAL_LETTERS);
  const links = page.getByRole("table", { name: "Dead letters" }).locator("a[data-primary]");
  return links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
}

const panel = () => page.getByRole("region", { name: "Demo world" });
const result = () => panel().getByRole("status");
const headline = () => page.getByRole("heading", { level: 1 });
const fact = (text: string) => page.locator(".status").getByText(text);
const faults = () => panel().getByText("Eight more faults");
const press = (name: string) => panel().getByRole("button", { name, exact: true }).click();

/** The Overview with its list of faults unfolded; while one is open it unfolds by itself. */
async function overview(): Promise<void> {
  await page.goto(product.url);
  await expect(faults()).toBeVisible();
  if (!(await panel().getByRole("list").isVisible())) await faults().click();
}

/** Mended, and told: no fault is open, and the status speaks of none. */
async function mend(button: string, says: RegExp): Promise<void> {
  await overview();
  await press(button);
  await expect(result()).toHaveText(says, SHOWN);
  await expect(panel().getByText("Open", { exact: true })).toHaveCount(0);
  await expect(fact("The demo")).toHaveCount(0, SHOWN);
}

/** Reads the list again until its rows say so. */
async function listSays(path: string, text: RegExp): Promise<void> {
  await expect(async () => {
    await page.goto(product.url + path);
    await expect(page.getByRole("row").filter({ hasText: text }).first()).toBeVisible({ timeout: 2_000 });
  }).toPass(SHOWN);
}

test("locked rows, by keyboard: their writes try again with the database's own words, and go through once the rows are let go", async () => {
  await page.goto(product.url);
  await faults().focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(panel().getByRole("button", { name: "Hold a row lock" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(result()).toHaveText(/^Locked rows\. Since .*, over by itself at /);
  await expect(fact("The demo holds rows locked since")).toBeVisible();
  await listSays("/retries", /ERROR 55P03: canceling statement due to lock timeout/);
  await mend("Let the rows go", /^The rows are free/);
  await expect(async () => {
    await page.goto(`${product.url}/retries`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText(/55P03/)).toHaveCount(0, { timeout: 1_000 });
  }).toPass(SHOWN);
});

test("a missing right: the letters say which, the others' buttons say why not now, and it is granted again", async () => {
  await press("Revoke the right");
  await expect(result()).toHaveText(/^A missing right\. Since .*, until it is mended/);
  await expect(fact("The demo's engine may not write rewards since")).toBeVisible();
  const other = panel().getByRole("button", { name: "Stop the worker" });
  await expect(other).toHaveAttribute("aria-disabled", "true");
  await expect(other).toHaveAccessibleDescription("A missing right: mend that first");
  await listSays(
    "/dead-letters?kind=combat_rewards&view=list",
    /ERROR 42501: permission denied for table reward_ledger/,
  );
  await mend("Grant it again", /^The engine may write rewards again/);
});

test("a stopped worker: nothing is being claimed, in so many words; started again, it is not so any more", async () => {
  await press("Stop the worker");
  await expect(result()).toHaveText(/^A stopped worker\. Since/);
  await expect(headline()).toContainText(
    /Nothing is being claimed: \d+ rows are due in persistence-retry, the longest for \d+s, and no lease is held\./,
    SHOWN,
  );
  await mend("Start the worker", /^The worker runs again/);
  await expect(headline()).not.toContainText("Nothing is being claimed", SHOWN);
});

test("a frozen worker: the engine does not answer and leases expire; thawed, its late settle is refused, and all is calm", async () => {
  await press("Freeze the worker");
  await expect(result()).toHaveText(/^A frozen worker\. Since .*, over by itself at the latest at /);
  await expect(headline()).toContainText(/The engine (has not answered for|did not answer within)/, SHOWN);
  await expect(headline()).toContainText(/leases? ha(s|ve) expired/, SHOWN);
  await expect(headline()).not.toContainText(/The engine|expired/, SHOWN);
  await expect(fact("The demo's engine is being frozen")).toHaveCount(0, SHOWN);
  await page.goto(`${product.url}/retries`);
  await expect(page.getByRole("complementary", { name: "Leases by worker" })).toContainText(
    /1 late settle was refused, of /,
    SHOWN,
  );
});

test("a payload that kills: after three lost leases it is a letter, unrun; its process mended, a requeue recovers it", async () => {
  await press("Queue the payload");
  await expect(result()).toHaveText(/^A payload that kills\. Since/);
  await listSays("/dead-letters?kind=combat_rewards&view=list", /poison: 3 leases lost without a recorded failure/);
  await mend("Mend the engine", /^The engine survives the payload now/);
  await page.goto(`${product.url}/dead-letters?kind=combat_rewards&view=list`);
  await page.getByRole("row").filter({ hasText: "poison:" }).getByRole("link").first().click();
  await expect(preflight(page).getByText("Idempotency key not applied")).toBeVisible();
  // It took its workers with it, a moment ago, and the preflight says both.
  for (const name of [/may die again/, /was mended for this payload/]) {
    await preflight(page).getByRole("checkbox", { name }).check();
  }
  await preflight(page).getByLabel("Reason").fill("Its process was mended.");
  await requeueButton(page).click();
  await expect(outcome(page).getByText(/^Recovered in /)).toBeVisible({ timeout: 30_000 });
});

test("keys of another type: eight cleanups die; mended, one goes back and recovers, and one whose player is back is blocked and says exactly that", async () => {
  await press("Overwrite the keys");
  await expect(result()).toHaveText(/^Keys of another type\. Since .*, until it is mended/);
  await expect(panel()).toContainText("8 of 8 cleanups so far: 0 wait, 8 are dead.", SHOWN);
  await listSays(JOURNAL_LETTERS, /WRONGTYPE Operation against a key holding the wrong kind of value/);
  // Two of the players have come back once their cleanups were dead.
  await until(async () => (await letters()).length === 8);
  await mend("Remove the keys", /^The keys are gone/);

  let [blocked, recovered] = [0, 0];
  for (const href of await letters()) {
    await page.goto(product.url + href);
    await expect(
      preflight(page)
        .getByText(/The session is (not )?active/)
        .first(),
    ).toBeVisible();
    if (await preflight(page).getByText("The session is active again").isVisible()) {
      blocked += 1;
      await expect(page.getByRole("heading", { name: "This letter cannot be requeued" })).toBeVisible();
      await expect(preflight(page)).toContainText("the worker would skip it");
      await expect(requeueButton(page)).toHaveCount(0);
    } else if (recovered === 0) {
      recovered += 1;
      // Whether the cause is over may still be a warning, and a page that has just come may take its boxes back.
      await expect(async () => {
        await preflight(page).getByLabel("Reason").fill("The keys are gone.");
        for (const box of await preflight(page).getByRole("checkbox").all()) await box.check();
        await expect(requeueButton(page)).toBeEnabled({ timeout: 1_000 });
      }).toPass({ timeout: 30_000 });
      await requeueButton(page).click();
      // It is settled at once, and has left its list: then the archive says what became of it.
      await expect(outcome(page)).toContainText("Recovered", { timeout: 30_000 });
    }
  }
  expect({ blocked, recovered }).toEqual({ blocked: 2, recovered: 1 });
});

test("a Redis that refuses writes: sessions of who leaves stay, the Overview counts what was not recorded; then all are closed", async () => {
  await press("Refuse writes");
  await expect(result()).toHaveText(/^A Redis that refuses writes\. Since .*, over by itself at /);
  await expect(page.getByRole("region", { name: "Signals" })).toContainText(/[1-9]\d* enqueue errors? /, SHOWN);
  await page.goto(`${product.url}/lists`);
  await expect(page.getByText(/no memory left/).first()).toBeVisible(SHOWN);
  await mend("Take writes again", /^Redis takes writes again/);
  await until(async () => `${await redis.config("GET", "maxmemory")}` === "maxmemory,0");
  await expect(headline()).not.toContainText(/cannot be read/, SHOWN);
});

test("a journal worker killed in the middle of a cleanup: the next life brings it back, and it is done", async () => {
  const returned = async () => {
    const counts = Object.entries(await redis.hgetall(JOURNAL_KEYS.minutes));
    return counts.reduce((sum, [word, n]) => sum + (word.endsWith(" returned") ? Number(n) : 0), 0);
  };
  const before = await returned();
  const dead = await redis.llen(JOURNAL_KEYS.deadLetter);
  await press("Kill it in the middle");
  // It may be over before the status has told of it.
  await expect(result()).toHaveText(/^A worker that dies in the middle\. Since /);
  await until(async () => (await returned()) === before + 1, 60_000);
  await overview();
  await expect(fact("The demo's engine is about to be killed")).toHaveCount(0, SHOWN);
  await page.goto(`${product.url}/lists?list=processing`);
  await expect(page.getByText(/brings back what it held/)).toHaveCount(0, SHOWN);
  expect(await redis.llen(JOURNAL_KEYS.deadLetter)).toBe(dead);
});
