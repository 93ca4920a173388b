import { Redis } from "ioredis";
import { Client } from "pg";
import { type BrowserContext, expect, type Page } from "playwright/test";
import { JOURNAL_KEYS } from "@/lib/queues/session-lifecycle/keys";
import { makeJob, makeLetter } from "@/scripts/testing/game";
import { type GivenStores, startGivenStores } from "@/scripts/testing/given-stores";
import { entryBytes } from "@/scripts/testing/journal";
import { type Product, startProduct } from "@/scripts/testing/product";
import { until } from "@/scripts/testing/until";
import { preflight, requeueButton, setUp, signIn } from "./pages/desk";
import {
  chart,
  closeEveryPage,
  expectWhole,
  letterHead,
  letterLink,
  listRows,
  openEveryPage,
  type Shown,
} from "./pages/every-page";
import { cellOf, gaps, queueRow } from "./pages/given";
import { test } from "./pages/test";

// Half of somebody's stores, or stores that go away: what cannot be read says so, and takes nothing else with it.
test.describe.configure({ mode: "serial" });

let game: GivenStores;
/** Another server, where the desk keeps its own schema: it goes on while the game's is away. */
let own: GivenStores;
let desk: Product | undefined;
let letterId: string;
let shown: Shown;
let session: Awaited<ReturnType<BrowserContext["cookies"]>>;

const start = async (env: Record<string, string>) => {
  await desk?.end({ forget: true });
  desk = await startProduct({
    env: {
      BACKSTOP_DATABASE_URL: own.postgresUrl("desk_own"),
      BACKSTOP_SECRET: own.engine.backstopSecret,
      STATEMENT_TIMEOUT_MS: "2000",
      ...env,
    },
  });
  return desk;
};
const both = () => ({ DATABASE_URL: game.postgresUrl("desk_read"), REDIS_URL: game.redisUrl });
const letterPath = () => `/dead-letters/persistence-retry/${letterId}`;

test.beforeAll(async () => {
  // The first start may have to build the desk.
  test.setTimeout(300_000);
  [game, own] = [await startGivenStores(), await startGivenStores()];
  const characterId = crypto.randomUUID();
  letterId = (await makeLetter(game.game, { characterId })).letterId;
  await makeJob(game.game, "due", { characterId });
  const redis = new Redis(game.redisUrl);
  await redis.lpush(JOURNAL_KEYS.pending, entryBytes());
  redis.disconnect();
  await start(both());
});
test.afterAll(async () => {
  await desk?.end({ forget: true });
  await game?.end();
  await own?.end();
});

test("the game's Postgres is stopped: each page says what it cannot read, shows the rest, and is whole again by itself", async ({
  page,
}) => {
  const product = desk as Product;
  await setUp(page, product);
  shown = { url: product.url, letterId, groupId: await groupOf(letterId) };
  session = await page.context().cookies();
  await game.postgres.stop();
  const pages = await openEveryPage(page.context(), shown);
  const { overview, retries, lists, errors, list, group, letter, audit, users, you, runbook } = pages;
  await expect(queueRow(overview, "persistence-retry")).toContainText(
    /Postgres does not answer|shutting down|has not answered/,
  );
  await expect(overview.getByRole("heading", { level: 1 })).toContainText("persistence-retry cannot be read.");
  await expect(
    overview.getByText(/persistence-retry was last read at \d\d:\d\d:\d\d: 1 dead letter then/),
  ).toBeVisible();
  await expect.poll(() => cellOf(overview, "session-lifecycle", "Due")).toBe("1");
  await expect(connection(overview, "Postgres")).toContainText("no answer");
  await expect(connection(overview, "Redis")).toContainText(/\d+ ms/);
  await expect(retries.getByRole("heading", { name: "The rows could not be read" })).toBeVisible();
  await expect(retries.getByText("The workers could not be read")).toBeVisible();
  await expect(listRows(lists)).toHaveCount(1);
  // What was sampled and what has died is in the desk's own database.
  for (const charted of [overview, retries]) await expect(chart(charted)).toBeVisible();
  await expect(errors.getByRole("table", { name: "Errors" }).locator("tr[data-row]")).toHaveCount(1);
  for (const kept of [list, group]) await expect(letterLink(kept, shown)).toBeVisible();
  await expect(letterHead(letter)).toBeVisible();
  await expect(letter.getByRole("heading", { name: "This letter could not be read in its store" })).toBeVisible();
  await expect(requeueButton(letter)).toHaveCount(0);
  await expect(runbook.getByRole("heading", { level: 1 })).toHaveText("Runbook");
  for (const aged of [overview, retries, errors, list, group, letter, audit, users, you])
    await expect(
      aged.getByText(/(The database clock cannot be read|Data is .* old)\..* Redis is live\./),
    ).toBeVisible();
  await game.postgres.start();
  await expectWhole(pages, shown);
  await closeEveryPage(pages);
});

test("Redis is stopped: the Overview and the page of its lists say so, and no other page lacks anything", async ({
  page,
}) => {
  await page.context().addCookies(session);
  await game.redis.stop();
  const pages = await openEveryPage(page.context(), shown);
  const { overview, lists } = pages;
  await expect(queueRow(overview, "session-lifecycle")).toContainText(
    /Redis (takes no connection|does not answer|has not answered)/,
  );
  await expect(overview.getByRole("heading", { level: 1 })).toContainText("session-lifecycle cannot be read.");
  await expect(overview.getByRole("heading", { level: 1 })).toContainText("1 dead letter");
  await expect.poll(() => cellOf(overview, "persistence-retry", "Dead")).toBe("1");
  await expect(overview.getByRole("region", { name: "Signals" })).toContainText("Redis could not be read.");
  await expect(lists.getByText("The list could not be read")).toBeVisible();
  // The runtimes are read once for all who look: a tab may still have got the reading from before the stop, and dims it.
  const unread = lists.getByRole("complementary", { name: "Who holds what" });
  await expect(
    unread.and(lists.locator(".dim")).or(unread.getByText("The runtimes could not be read")).first(),
  ).toBeVisible();
  await expectWhole(pages, shown, { but: ["overview", "lists"] });
  await game.redis.start();
  await expectWhole(pages, shown);
  await expect(connection(overview, "Redis")).toContainText(/\d+ ms/);
  await closeEveryPage(pages);
});

test("the desk's own Postgres is stopped: who was looking goes on seeing the game's numbers, each page says what is lacking, and is whole again by itself", async ({
  browser,
  page,
}) => {
  await page.context().addCookies(session);
  await page.goto(shown.url);
  await expect.poll(() => cellOf(page, "persistence-retry", "Due")).toBe("1");
  await own.postgres.stop();
  const pages = await openEveryPage(page.context(), shown);
  const { overview, retries, lists, errors, list, group, letter, audit, users, you, runbook } = pages;
  for (const each of [overview, retries, lists, errors, list, group, letter, audit, users, you])
    await expect(each.getByText("The desk's own database cannot be read.")).toBeVisible();
  await expect(audit.getByRole("heading", { name: "The audit could not be read" })).toBeVisible();
  await expect(users.getByRole("heading", { name: "The accounts could not be read" })).toBeVisible();
  await expect(you.getByRole("heading", { name: "Your tokens could not be read" })).toBeVisible();
  await expect(you.getByRole("table", { name: "What you may do" })).toBeVisible();
  const jobId = await makeJob(game.game, "due", { characterId: crypto.randomUUID() });
  await expect.poll(() => cellOf(overview, "persistence-retry", "Due")).toBe("2");
  await expect(retries.getByRole("row").filter({ hasText: "combat_rewards" }).first()).toBeVisible();
  await expect(listRows(lists)).toHaveCount(1);
  for (const charted of [overview, retries])
    await expect(charted.getByText(/The charts (could not be read|stand still)/)).toBeVisible();
  for (const archived of [errors, list, group])
    await expect(
      archived.getByRole("heading", { name: "The archive of dead letters could not be read" }),
    ).toBeVisible();
  await expect(letterHead(letter)).toBeVisible();
  await expect(letter.getByText("Who requeued it could not be read")).toBeVisible();
  await expect(runbook.getByRole("heading", { level: 1 })).toHaveText("Runbook");
  // Who was not seen before cannot be told now.
  const stranger = await browser.newPage();
  const unknown = session.map((cookie) => ({
    ...cookie,
    value: cookie.value.replace(/^./, (c) => (c === "A" ? "B" : "A")),
  }));
  await stranger.context().addCookies(unknown);
  await stranger.goto(`${shown.url}/retries`);
  await expect(stranger.getByRole("heading", { name: "This page could not be shown" })).toBeVisible();
  await own.postgres.start();
  await expectWhole(pages, shown);
  await closeEveryPage(pages);
  await stranger.waitForURL("**/sign-in**", { timeout: 30_000 });
  await stranger.close();
  await game.game.query("delete from persistence_retry_jobs where retry_job_id = $1", [jobId]);
  expect((desk as Product).output()).not.toMatch(/^(web|keeper) ended/m);
});

test("a query that takes too long is told as that, with what to narrow; the filters work, and so does a second try", async ({
  page,
}) => {
  await page.context().addCookies(session);
  const [rows, letters] = await Promise.all([
    lockOf(game.postgresUrl("game_server"), "persistence_retry_jobs"),
    lockOf(own.postgresUrl("desk_own"), "backstop.dead_letters"),
  ]);
  const tooLong = page.getByText("The query took longer than its limit and was cancelled.");
  const narrow = page.getByText("The filters above still work: a narrower one reads less.");
  await page.goto(`${shown.url}/retries`);
  await expect(narrow).toBeVisible();
  await expect(tooLong.first()).toBeVisible();
  await expect(page.getByText("How many letters people have resolved could not be counted.")).toBeVisible();
  await expect(page.getByText("The desk's own database cannot be read.")).toHaveCount(0);
  for (const path of ["/dead-letters", "/dead-letters?view=list"]) {
    await page.goto(shown.url + path);
    await expect(narrow).toBeVisible();
  }
  await page.locator("[data-facet=died]").click();
  await page.getByRole("option", { name: "Last 24 hours" }).click();
  await expect(page).toHaveURL(/died=24h/);
  await expect(narrow).toBeVisible();
  await letters.release();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(letterLink(page, shown)).toBeVisible();

  const again = await lockOf(own.postgresUrl("desk_own"), "backstop.dead_letters");
  await page.goto(`${shown.url}/dead-letters/groups/${shown.groupId}`);
  await expect(tooLong.first()).toBeVisible();
  await again.release();
  await page.getByRole("link", { name: "its letters of the last 24 h" }).click();
  await expect(letterLink(page, shown)).toBeVisible();
  await rows.release();
});

test("a desk that starts while both stores are away says so, and reads them once they are there", async ({ page }) => {
  await Promise.all([game.postgres.stop(), game.redis.stop()]);
  const product = await start(both());
  await signIn(page, product);
  for (const name of ["persistence-retry", "session-lifecycle"])
    await expect(queueRow(page, name)).toContainText(/(takes no connection|does not answer|has not answered)/);
  await expect(page.getByText("persistence-retry has not been read since this desk started")).toBeVisible();
  await Promise.all([game.postgres.start(), game.redis.start()]);
  for (const name of ["persistence-retry", "session-lifecycle"])
    await expect(queueRow(page, name)).not.toContainText(/answer|no connection/, { timeout: 20_000 });
  await expect.poll(() => cellOf(page, "persistence-retry", "Dead")).toBe("1");
});

test("Postgres alone: Redis is not configured, and the letters are all there", async ({ page }) => {
  const product = await start({ DATABASE_URL: both().DATABASE_URL });
  await signIn(page, product);
  await expect(queueRow(page, "session-lifecycle")).toContainText("REDIS_URL is not set.");
  await expect(connection(page, "Redis")).toContainText("not configured");
  await expect(connection(page, "Engine")).toContainText("not configured");
  await expect(gaps(page)).toContainText("REDIS_URL is not set.");
  await page.goto(`${product.url}/retries`);
  await expect(page.getByRole("row").filter({ hasText: "combat_rewards" })).toHaveCount(1);
  await page.goto(`${product.url}/dead-letters?view=list`);
  await page.locator(`a[href$="${letterId}"]`).click();
  await expect(preflight(page).getByText("No engine is configured")).toBeVisible();
  await expect(page.getByRole("heading", { name: "This letter cannot be requeued" })).toBeVisible();
  await expect(requeueButton(page)).toHaveCount(0);
});

test("Redis alone: Postgres is not configured, and no page breaks", async ({ page }) => {
  const product = await start({ REDIS_URL: both().REDIS_URL });
  await signIn(page, product);
  await expect(queueRow(page, "persistence-retry")).toContainText("DATABASE_URL is not set.");
  await expect.poll(() => cellOf(page, "session-lifecycle", "Due")).toBe("1");
  await expect(connection(page, "Postgres")).toContainText("not configured");
  await page.goto(`${product.url}/retries`);
  await expect(page.getByRole("heading", { name: "There is no queue to list" })).toBeVisible();
  await page.goto(`${product.url}/dead-letters`);
  await expect(page.getByRole("heading", { name: "Dead letters", level: 1 })).toBeVisible();
  await page.goto(`${product.url}${letterPath()}`);
  await expect(page.getByRole("heading", { name: "There is nothing at this address" })).toBeVisible();
});

/** The number of a letter's error, as soon as the archive has it. */
async function groupOf(letter: string): Promise<string> {
  const client = new Client(own.postgresUrl("desk_own"));
  await client.connect();
  let groupId = "";
  await until(async () => {
    const text = "select group_id::text as id from backstop.dead_letters where letter_id = $1";
    groupId = (await client.query(text, [letter])).rows[0]?.id ?? "";
    return groupId !== "";
  });
  await client.end();
  return groupId;
}

/** Holds a table so that nobody can read it. */
async function lockOf(url: string, table: string) {
  const client = new Client(url);
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return { release: () => client.end() };
}

/** What the frame says of a store or the engine. */
const connection = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main", exact: true }).locator("dl.conns > div").filter({ hasText: name });
