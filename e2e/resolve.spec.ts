import type { Browser, Page } from "playwright/test";
import { expect } from "playwright/test";
import { createUser } from "@/lib/auth/users";
import { makeCharacter, makeLetter } from "@/scripts/testing/game";
import { type Product, startProduct } from "@/scripts/testing/product";
import { preflight, replay, requeueButton, setUp, signIn } from "./pages/desk";
import { test } from "./pages/test";

// A person's decision that nothing is owed, and a letter that its store has forgotten.

const VERA = { username: "vera", password: "a viewer's long password" };
const REASON = "granted by hand at 03:05:47, nothing is owed";

let product: Product;
test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  product = await startProduct({ env: { BACKSTOP_DEMO: "0" } });
  await setUp(await browser.newPage(), product);
  await createUser(product.pool("backstop_own"), { ...VERA, displayName: "Vera Holm", role: "viewer" });
});
test.afterAll(() => product?.end({ forget: true }));

async function signedIn(browser: Browser, who?: { username: string; password: string }): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, product, who);
  return page;
}
const address = (letterId: string) => `${product.url}/dead-letters/persistence-retry/${letterId}`;
const button = (page: Page, name: string) => page.getByRole("button", { name });

/** Its character is gone: refused for every role. */
async function blockedLetter(): Promise<string> {
  const game = product.pool("engine");
  const { letterId, characterId } = await makeLetter(game, { characterId: await makeCharacter(game) });
  await game.query("delete from reward_balances where character_id = $1", [characterId]);
  await game.query("delete from characters where character_id = $1", [characterId]);
  return letterId;
}
const stored = async (letterId: string) =>
  (
    await product
      .pool("engine")
      .query("select * from persistence_job_dead_letters where dead_letter_id = $1", [letterId])
  ).rows;

test("a blocked letter is resolved with a reason and reopened; its row in the game is as it was", async ({
  browser,
}) => {
  const letterId = await blockedLetter();
  const before = await stored(letterId);
  const page = await signedIn(browser);
  await page.goto(address(letterId));
  await expect(page.getByRole("heading", { name: "This letter cannot be requeued" })).toBeVisible();
  await page.getByLabel("Reason for resolving").fill("too short");
  await expect(
    page.getByText("Still needed: give a reason of at least 10 characters, spaces not counted.").first(),
  ).toBeVisible();
  await page.getByLabel("Reason for resolving").fill(REASON);
  await button(page, "Resolve 1 letter").click();
  await expect(page.getByRole("heading", { name: "Resolved" })).toBeVisible();
  await expect(page.getByText(`Resolved by Maya Okafor`)).toContainText(REASON);
  await expect(page.locator(".dhead .st-pill")).toHaveText("Resolved");

  const vera = await signedIn(browser, VERA);
  await vera.goto(address(letterId));
  await expect(vera.getByText(`Resolved by Maya Okafor`)).toContainText(REASON);
  await expect(vera.getByText("Reopen this letter")).toHaveCount(0);

  await page.getByText("Reopen this letter").click();
  await page.getByLabel("Reason for reopening").fill("the player says it is still missing");
  await button(page, "Reopen 1 letter").click();
  await expect(page.getByRole("heading", { name: "This letter cannot be requeued" })).toBeVisible();
  expect(await stored(letterId)).toEqual(before);
});

test("a letter that could go back can be resolved, too: quietly, beside its requeue", async ({ browser }) => {
  const { letterId } = await makeLetter(product.pool("engine"));
  const page = await signedIn(browser);
  await page.goto(address(letterId));
  await expect(requeueButton(page)).toBeEnabled();
  await page.getByText("Resolve without a requeue").click();
  await page.getByLabel("Reason for resolving").fill(REASON);
  await button(page, "Resolve 1 letter").click();
  await expect(page.getByRole("heading", { name: "Resolved" })).toBeVisible();
  await expect(requeueButton(page)).toHaveCount(0);
});

test("letters of a list are ticked with the keyboard and resolved together, with one reason", async ({ browser }) => {
  const game = product.pool("engine");
  const realmId = "realm-ticked";
  const ids = [];
  for (let made = 0; made < 3; made += 1) ids.push((await makeLetter(game, { realmId })).letterId);
  const page = await signedIn(browser);
  const list = `${product.url}/dead-letters?view=list&realm=${realmId}`;
  const rows = page.getByRole("region", { name: "Dead letters, list" }).locator("tr[data-row]");
  await expect(async () => {
    await page.goto(list);
    await expect(rows).toHaveCount(3, { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
  const bar = page.getByRole("form", { name: "Selection" });
  await expect(bar).toContainText("2 selected");
  await page.keyboard.press("Escape");
  await expect(bar).toHaveCount(0);
  await page.getByLabel("Select all open letters of this page").check();
  await rows.last().getByRole("checkbox").uncheck();
  await bar.getByLabel("Reason for resolving").fill(REASON);
  await bar.getByRole("button", { name: "Resolve 2 letters" }).click();
  await expect(rows).toHaveCount(1);
  await expect(bar).toHaveCount(0);
  const { rows: kept } = await product
    .pool("backstop_own")
    .query("select state, resolved_reason from backstop.dead_letters where letter_id = any($1) order by state", [ids]);
  expect(kept).toEqual([
    { state: "open", resolved_reason: null },
    { state: "resolved", resolved_reason: REASON },
    { state: "resolved", resolved_reason: REASON },
  ]);

  const vera = await signedIn(browser, VERA);
  await vera.goto(list);
  await expect(vera.getByRole("region", { name: "Dead letters, list" }).locator("tr[data-row]")).toHaveCount(1);
  await expect(vera.getByRole("checkbox")).toHaveCount(0);
});

test("a range and all that match are ticked by keys; of those that moved meanwhile the bar says how many", async ({
  browser,
}) => {
  const game = product.pool("engine");
  const realmId = "realm-range";
  const ids: string[] = [];
  for (let made = 0; made < 4; made += 1) ids.push((await makeLetter(game, { realmId })).letterId);
  const page = await signedIn(browser);
  const rows = page.getByRole("region", { name: "Dead letters, list" }).locator("tr[data-row]");
  await expect(async () => {
    await page.goto(`${product.url}/dead-letters?view=list&realm=${realmId}`);
    await expect(rows).toHaveCount(4, { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  const bar = page.getByRole("form", { name: "Selection" });
  for (const key of ["j", "x", "j", "j", "Shift+X"]) await page.keyboard.press(key);
  await expect(bar).toContainText("3 selected");
  await page.keyboard.press("Escape");
  for (const key of ["*", "a"]) await page.keyboard.press(key);
  await expect(bar).toContainText("4 selected");
  const own = product.pool("backstop_own");
  await own.query("update backstop.dead_letters set state = 'requeued_elsewhere' where letter_id = $1", [ids[0]]);
  await bar.getByLabel("Reason for resolving").fill(REASON);
  await bar.getByRole("button", { name: "Resolve 4 letters" }).click();
  await expect(page.getByText("3 of 4 letters were resolved.")).toBeVisible();
  await expect(rows).toHaveCount(0);
  const { rows: states } = await own.query(
    "select state, count(*)::int as n from backstop.dead_letters where letter_id = any($1) group by 1 order by 1",
    [ids],
  );
  expect(states).toContainEqual({ state: "resolved", n: 3 });
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByText("3 of 4 letters were resolved.")).toHaveCount(0);
});

test("a viewer sees the control off, and the server refuses what the page does not send", async ({ browser }) => {
  const letterId = await blockedLetter();
  const maya = await signedIn(browser);
  const vera = await signedIn(browser, VERA);
  await vera.goto(address(letterId));
  await expect(vera.getByText("You can look, not requeue")).toBeVisible();
  await expect(button(vera, "Resolve 1 letter")).toBeDisabled();
  await maya.goto(address(letterId));
  await maya.getByLabel("Reason for resolving").fill(REASON);
  const sent = maya.waitForRequest((request) => (request.postData() ?? "").includes(REASON));
  await button(maya, "Resolve 1 letter").click();
  const request = await sent;
  await expect(maya.getByRole("heading", { name: "Resolved" })).toBeVisible();
  expect(await replay(vera, product, request)).toContain("forbidden");
});

test("a letter that its store has forgotten still has its page, with its payload masked and nothing to requeue", async ({
  browser,
}) => {
  const game = product.pool("engine");
  const { letterId } = await makeLetter(game, { sessionToken: "tok-forgotten-0123456789" });
  const page = await signedIn(browser);
  await page.goto(address(letterId));
  await expect(requeueButton(page)).toBeEnabled();
  await game.query("delete from persistence_job_dead_letters where dead_letter_id = $1", [letterId]);
  await expect(async () => {
    await page.goto(address(letterId));
    await expect(page.locator(".dhead .st-pill")).toHaveText("Left elsewhere", { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  await expect(page.getByText("Not in its store any more.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Payload", exact: true })).toContainText("redacted, 24 bytes");
  await expect(page.locator("body")).not.toContainText("tok-forgotten");
  await expect(page.getByRole("region", { name: "Error", exact: true })).toContainText("reward_ledger_zone_id_fkey");
  await expect(preflight(page)).toHaveCount(0);
  await expect(requeueButton(page)).toHaveCount(0);
});
