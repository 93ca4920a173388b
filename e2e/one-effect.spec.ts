import type { Browser, Page } from "playwright/test";
import { expect } from "playwright/test";
import { createUser } from "@/lib/auth/users";
import { makeLetter } from "@/scripts/testing/game";
import { type Product, startProduct } from "@/scripts/testing/product";
import { outcome, preflight, replay, requeueButton, setUp, signIn } from "./pages/desk";
import { test } from "./pages/test";

// What two hands do at once in real browsers, and what happens to a click when the web process dies.

const JONAS = { username: "jonas", password: "another long password" };
const VERA = { username: "vera", password: "a viewer's long password" };

let product: Product;
test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  product = await startProduct({ env: { BACKSTOP_DEMO: "0" } });
  await setUp(await browser.newPage(), product);
  const own = product.pool("backstop_own");
  await createUser(own, { ...JONAS, displayName: "Jonas Lind", role: "operator" });
  await createUser(own, { ...VERA, displayName: "Vera Holm", role: "viewer" });
});
test.afterAll(() => product?.end({ forget: true }));

async function letterPage(page: Page): Promise<{ letterId: string; characterId: string }> {
  const made = await makeLetter(product.pool("engine"));
  await page.goto(`${product.url}/dead-letters/persistence-retry/${made.letterId}`);
  await expect(requeueButton(page)).toBeEnabled();
  await expect(preflight(page).getByText(/\b\d+ ok\b/)).toBeVisible();
  return made;
}

async function signedIn(browser: Browser, who?: { username: string; password: string }): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, product, who);
  return page;
}

async function goldOf(characterId: string): Promise<string> {
  const { rows } = await product
    .pool("backstop_read")
    .query("select gold::text from reward_balances where character_id = $1", [characterId]);
  return rows[0]?.gold;
}

test("a double click requeues once", async ({ browser }) => {
  const page = await signedIn(browser);
  const { characterId } = await letterPage(page);
  await requeueButton(page).dblclick();
  await expect(outcome(page).getByText(/^Recovered in /)).toBeVisible();
  expect(await goldOf(characterId)).toBe("340");
});

test("two operators on one letter: the second learns who requeued it and when, and nothing was requeued by them", async ({
  browser,
}) => {
  const maya = await signedIn(browser);
  const jonas = await signedIn(browser, JONAS);
  const { letterId, characterId } = await letterPage(maya);
  await jonas.goto(`${product.url}/dead-letters/persistence-retry/${letterId}`);
  await expect(preflight(jonas).getByText(/\b\d+ ok\b/)).toBeVisible();
  await requeueButton(maya).click();
  await expect(outcome(maya).getByText(/^Recovered in /)).toBeVisible();
  await requeueButton(jonas).click();
  await expect(jonas.getByText("Nothing was requeued by this click: another was faster.")).toBeVisible();
  await expect(outcome(jonas)).toContainText("Pressed by Maya Okafor");
  await expect(requeueButton(jonas)).toHaveCount(0);
  expect(await goldOf(characterId)).toBe("340");
});

test("a viewer reads everything, sees why a control is off, and the server refuses what the page does not send", async ({
  browser,
}) => {
  const maya = await signedIn(browser);
  const { letterId } = await letterPage(maya);
  const vera = await signedIn(browser, VERA);
  await vera.goto(`${product.url}/dead-letters/persistence-retry/${letterId}`);
  await expect(vera.getByText("You can look, not requeue")).toBeVisible();
  await expect(preflight(vera).getByText("Idempotency key not applied")).toBeVisible();
  await expect(requeueButton(vera)).toBeDisabled();
  await expect(requeueButton(vera)).toHaveAccessibleDescription("This needs the operator role. You are a viewer.");
  // The operator's own click, replayed with the viewer's cookie.
  const sent = maya.waitForRequest(
    (request) => request.method() === "POST" && request.headers()["next-action"] !== undefined,
  );
  await requeueButton(maya).click();
  const request = await sent;
  expect(await replay(vera, product, request)).toContain("forbidden");
});

test("the web process is killed and comes back: the desk says that it is away, then goes on where it was", async ({
  browser,
}) => {
  const page = await signedIn(browser);
  const { letterId, characterId } = await letterPage(page);
  const web = await webPid(product);
  process.kill(web, "SIGKILL");
  await expect
    .poll(async () => (await fetch(`${product.url}/api/health`).catch(() => null))?.status, { timeout: 60_000 })
    .toBe(200);
  expect(await webPid(product)).not.toBe(web);
  await page.goto(`${product.url}/dead-letters/persistence-retry/${letterId}`);
  await requeueButton(page).click();
  await expect(outcome(page).getByText(/^Recovered in /)).toBeVisible({ timeout: 30_000 });
  expect(await goldOf(characterId)).toBe("340");
});

/** The process that listens on the desk's port is the supervisor's child with `next` in its command line. */
async function webPid({ child }: Product): Promise<number> {
  const { execFileSync } = await import("node:child_process");
  const listed = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(child.pid)], { encoding: "utf8" });
  const line = listed.split("\n").find((one) => /next(-server|\/dist)/.test(one));
  if (!line) throw new Error(`no web process among\n${listed}`);
  return Number(line.trim().split(" ")[0]);
}
