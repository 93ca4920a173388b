import { expect, type Page, test } from "playwright/test";
import { makeJob, makeLetter } from "@/scripts/testing/game";
import { type GivenStores, startGivenStores } from "@/scripts/testing/given-stores";
import { type Product, startProduct } from "@/scripts/testing/product";
import { preflight, requeueButton, setUp, signIn } from "./pages/desk";
import { cellOf, gaps, queueRow } from "./pages/given";

// Half of somebody's stores, or stores that go away: what cannot be read says so, and takes nothing else with it.
test.describe.configure({ mode: "serial" });

let game: GivenStores;
/** Another server, where the desk keeps its own schema: it goes on while the game's is away. */
let own: GivenStores;
let desk: Product | undefined;
let letterId: string;

const start = async (env: Record<string, string>) => {
  await desk?.end({ forget: true });
  desk = await startProduct({
    env: {
      BACKSTOP_DATABASE_URL: own.postgresUrl("desk_own"),
      BACKSTOP_SECRET: own.engine.backstopSecret,
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
  await start(both());
});
test.afterAll(async () => {
  await desk?.end({ forget: true });
  await game?.end();
  await own?.end();
});

test("a store that is stopped leaves the other's rows, and comes back by itself", async ({ page }) => {
  const product = desk as Product;
  const { url } = product;
  await setUp(page, product);
  const status = page.getByRole("heading", { level: 1 });
  await expect(status).toContainText("1 dead letter waits for a decision.");

  await game.postgres.stop();
  await expect(queueRow(page, "persistence-retry")).toContainText(
    /Postgres does not answer|shutting down|has not answered/,
  );
  await expect(status).toContainText("persistence-retry cannot be read.");
  await expect(page.getByText(/persistence-retry was last read at \d\d:\d\d:\d\d: 1 dead letter then/)).toBeVisible();
  await expect.poll(() => cellOf(page, "session-lifecycle", "Due")).toBe("0");
  await expect(queueRow(page, "session-lifecycle")).not.toContainText("does not answer");
  await expect(connection(page, "Postgres")).toContainText("no answer");
  await expect(connection(page, "Redis")).toContainText(/\d+ ms/);
  const elsewhere = await page.context().newPage();
  for (const [path, title] of [
    ["/retries", "The rows could not be read"],
    [letterPath(), "This letter could not be read"],
  ] as const) {
    await elsewhere.goto(`${url}${path}`);
    await expect(elsewhere.getByRole("heading", { name: title })).toBeVisible();
  }
  // What has died is in the desk's own archive.
  await elsewhere.goto(`${url}/dead-letters?view=list`);
  await expect(elsewhere.locator(`a[href$="${letterId}"]`)).toHaveCount(1);
  await game.postgres.start();
  await expect(status).toContainText("1 dead letter waits for a decision.", { timeout: 20_000 });
  await expect(queueRow(page, "persistence-retry")).not.toContainText("does not answer");
  await elsewhere.goto(`${url}${letterPath()}`);
  await expect(elsewhere.getByRole("heading", { level: 1, name: /^combat_rewards for/ })).toBeVisible();

  await game.redis.stop();
  await expect(queueRow(page, "session-lifecycle")).toContainText(/Redis (does not answer|has not answered)/);
  await expect(status).toContainText("session-lifecycle cannot be read.");
  await expect(status).toContainText("1 dead letter");
  await expect.poll(() => cellOf(page, "persistence-retry", "Dead")).toBe("1");
  await game.redis.start();
  await expect(queueRow(page, "session-lifecycle")).not.toContainText(/answer/, { timeout: 20_000 });
  await expect(connection(page, "Redis")).toContainText(/\d+ ms/);

  // The server of the desk's own schema: who was looking goes on seeing the game's numbers, and nobody comes in.
  await own.postgres.stop();
  const away = page.getByText("The desk's own database cannot be read.");
  await expect(away).toBeVisible({ timeout: 20_000 });
  await makeJob(game.game, "due", { characterId: crypto.randomUUID() });
  await expect.poll(() => cellOf(page, "persistence-retry", "Due")).toBe("2");
  await elsewhere.goto(`${url}/dead-letters`);
  await expect(elsewhere.getByRole("heading", { name: "The archive of dead letters could not be read" })).toBeVisible();
  await own.postgres.start();
  await expect(away).toHaveCount(0, { timeout: 20_000 });
  await elsewhere.goto(`${url}/dead-letters?view=list`);
  await expect(elsewhere.locator(`a[href$="${letterId}"]`)).toHaveCount(1);
  expect(product.output()).not.toMatch(/^(web|keeper) ended/m);
});

test("a desk that starts while both stores are away says so, and reads them once they are there", async ({ page }) => {
  await Promise.all([game.postgres.stop(), game.redis.stop()]);
  const product = await start(both());
  await signIn(page, product);
  for (const name of ["persistence-retry", "session-lifecycle"])
    await expect(queueRow(page, name)).toContainText(/(does not answer|has not answered)/);
  await expect(page.getByText("persistence-retry has not been read since this desk started")).toBeVisible();
  await Promise.all([game.postgres.start(), game.redis.start()]);
  for (const name of ["persistence-retry", "session-lifecycle"])
    await expect(queueRow(page, name)).not.toContainText(/answer/, { timeout: 20_000 });
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
  await expect(page.getByRole("row").filter({ hasText: "combat_rewards" })).toHaveCount(2);
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
  await expect.poll(() => cellOf(page, "session-lifecycle", "Due")).toBe("0");
  await expect(connection(page, "Postgres")).toContainText("not configured");
  await page.goto(`${product.url}/retries`);
  await expect(page.getByRole("heading", { name: "There is no queue to list" })).toBeVisible();
  await page.goto(`${product.url}/dead-letters`);
  await expect(page.getByRole("heading", { name: "Dead letters", level: 1 })).toBeVisible();
  await page.goto(`${product.url}${letterPath()}`);
  await expect(page.getByRole("heading", { name: "There is nothing at this address" })).toBeVisible();
});

/** What the frame says of a store or the engine. */
const connection = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main", exact: true }).locator("dl.conns > div").filter({ hasText: name });
