import type { Pool } from "pg";
import { expect, type Locator, type Page } from "playwright/test";
import { pickPort } from "@/scripts/services/ports";
import { makeZone } from "@/scripts/testing/game";
import { type Product, startProduct } from "@/scripts/testing/product";
import { INCIDENT_LETTERS, LOST_ZONES, makeIncident } from "@/scripts/testing/seeded-incident";
import { until } from "@/scripts/testing/until";
import { untilArchived } from "./pages/archive";
import { setUp } from "./pages/desk";
import { fileOf } from "./pages/file-of";
import { requeueByDesk, requeueElsewhere, resolvePage, untilSettled } from "./pages/incident";
import { type CauseFacts, causesOf, doneOf, hitOf, lettersOf, newestOf, overviewOf } from "./pages/incident-facts";
import { cellsOf, full, isNew, n, splitOf, sum, timelineOf } from "./pages/incident-words";
import { test } from "./pages/test";

// An incident of three causes, as an operator finds it when it is nearly over: seeded into the game's own store, and
// everything since done by the real engine, the real keeper and this desk. Each number is asked of the databases.

const MENDED = "the zones are in the catalog again";
const TRIED = "to see whether the new items came";
const PAID = "a later save holds all of it";
/** How many of a cause are put back: by this desk, and by a tool of the game. */
const REWARDS = { desk: 6, elsewhere: 194 };
const EQUIPMENT = { desk: 4, elsewhere: 56 };

let product: Product;
/** Sees the game's tables and the desk's. */
let all: Pool;
let page: Page;
test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  const enginePort = await pickPort();
  product = await startProduct({
    env: {
      BACKSTOP_DEMO: "0",
      BACKSTOP_ENGINE_PORT: String(enginePort),
      PERSISTENCE_RETRY_LIMIT: "2",
      PERSISTENCE_RETRY_BACKOFF_MILLIS: "20",
      PERSISTENCE_RETRY_POLL_MILLIS: "100",
    },
  });
  all = product.pool("postgres");
  const engine = product.pool("engine");
  await until(
    async () => (await engine.query("select to_regclass('character_equipment') is not null as made")).rows[0]?.made,
  );
  const { rewards, equipment } = await makeIncident(engine);
  page = await browser.newPage();
  await setUp(page, product);
  await untilArchived(product);

  const parts = (letters: string[], { desk, elsewhere }: typeof REWARDS) =>
    [letters.slice(0, desk), letters.slice(desk, desk + elsewhere)] as const;
  // One cause is mended, and a part of its letters put back: they recover.
  for (const zone of LOST_ZONES) await makeZone(engine, zone);
  const [rewarded, rewardedElsewhere] = parts(rewards, REWARDS);
  await requeueElsewhere(product, enginePort, rewardedElsewhere);
  await requeueByDesk(page, product, rewarded, { reason: MENDED, ends: /^Recovered in / });
  // Another is not: what is put back dies again.
  const [equipped, equippedElsewhere] = parts(equipment, EQUIPMENT);
  await requeueElsewhere(product, enginePort, equippedElsewhere);
  await untilSettled(all);
  await requeueByDesk(page, product, equipped, { reason: TRIED, ends: /^Died again after / });
  // Of the third a part is owed to nobody.
  await resolvePage(page, product, "gameplay_state", PAID);
  await untilSettled(all);
});
test.afterAll(() => product?.end({ forget: true }));

const rows = (table: string) => page.getByRole("table", { name: table }).locator("tr[data-row]");
const titleOf = ({ title }: CauseFacts) => title.replace(/[‹›]/g, "");

/** The instant that a cell shows, as exact as the page has it. */
const instant = (cell: Locator) => cell.locator("time").first();

/** The review page tells so many letters, and these causes of them, each with its numbers. `since`: what is new. */
async function expectCauses(causes: CauseFacts[], since: string): Promise<void> {
  await expect(page.locator(".phead b")).toHaveText(n(sum(causes)));
  const tabs = page.getByRole("navigation", { name: "Group by" }).getByRole("link");
  await expect(tabs).toHaveText([`By error${causes.length}`, `List${n(sum(causes))}`]);
  await expect(rows("Errors")).toHaveCount(causes.length);
  for (const cause of causes) {
    const row = rows("Errors").filter({ has: page.getByText(cause.kind, { exact: true }) });
    const cell = (name: string) => row.locator(`td[data-l="${name}"]`);
    await expect(row.locator("a[data-primary]")).toHaveText(titleOf(cause));
    await expect(row.locator(".gmeta .st")).toHaveCount(isNew(cause, since) ? 1 : 0);
    await expect(cell("Letters")).toHaveText(n(cause.letters));
    await expect(instant(cell("First"))).toHaveAttribute("datetime", cause.first);
    await expect(instant(cell("Last"))).toHaveAttribute("datetime", cause.last);
    await expect(cell("Characters")).toHaveText(n(cause.characters));
    await expect(row.locator(".splitt span")).toHaveText(splitOf(cause));
  }
}

/** The page of a cause tells its whole life. */
async function expectGroup(cause: CauseFacts): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(titleOf(cause));
  const fact = (term: string) =>
    page.locator(".grouphead dl > div").filter({ has: page.getByText(term, { exact: true }) });
  await expect(fact("Letters").locator("dd")).toHaveText(n(cause.letters));
  await expect(fact("Characters").locator("dd")).toHaveText(n(cause.characters));
  await expect(instant(fact("First seen"))).toHaveAttribute("datetime", cause.first);
  await expect(instant(fact("Last seen"))).toHaveAttribute("datetime", cause.last);
  await expect(fact("State now").locator(".splitt span")).toHaveText(splitOf(cause));
  await expect(page.getByRole("figure", { name: /^Dead letters per / })).toHaveAccessibleName(
    new RegExp(` UTC: ${n(cause.letters)} in all\\.$`),
  );
  const fix = page.getByRole("region", { name: "Did the fix work" });
  const { recovered, died_again } = cause;
  const back = `Of ${n(recovered + died_again)} put back: ${n(recovered)} recovered, 0 superseded, ${n(died_again)} died again, 0 not known yet.`;
  await expect(fix.getByText(back)).toHaveCount(recovered + died_again > 0 ? 1 : 0);
  const put = fix.getByRole("listitem").filter({ hasText: "A letter was last requeued at" });
  if (cause.requeued === null) await expect(put).toHaveCount(0);
  else await expect(instant(put)).toHaveAttribute("datetime", cause.requeued);
  await expect(fix.getByText("A letter was last resolved at")).toHaveCount(cause.resolved > 0 ? 1 : 0);
  const hit = page.getByRole("region", { name: "Whom it hit" });
  await expect(hit.locator(".sub")).toHaveText(`of ${n(cause.letters)} letters`);
  const columns = [
    ["Characters", "character_id"],
    ["Realms", "realm_id"],
    ["Zones", "zone_id"],
  ] as const;
  for (const [head, column] of columns) {
    const most = hit.locator(".hits > div").filter({ has: page.getByRole("heading", { name: head }) });
    const told = (await hitOf(all, cause.kind, column)).map(({ name, letters }) => `${name}${letters}`);
    await expect(most.getByRole("listitem")).toHaveText(told);
  }
  await expect(rows("Dead letters")).toHaveCount(5);
}

test("an incident of three causes and 2,000 letters is reviewed from the Overview to its exported timeline, and every number on the way is the databases'", async () => {
  const everything = await causesOf(all, {});
  let link = "";

  await test.step("the Overview", async () => {
    const { dead, open, jobs, deaths } = await overviewOf(all);
    await page.goto(product.url);
    const queue = page.getByRole("row").filter({ hasText: "persistence-retry" });
    await expect(queue.locator('td[data-l="Dead"]')).toHaveText(n(dead));
    expect(jobs).toBe(0);
    for (const name of ["Due", "Scheduled", "Retrying", "In flight", "Expired"])
      await expect(queue.locator(`td[data-l="${name}"]`)).toHaveText("0");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      new RegExp(`(?<![\\d,])${n(open)} dead letters.* wait for a decision`),
    );
    const main = page.getByRole("navigation", { name: "Main", exact: true });
    await expect(main.getByRole("link", { name: /^Dead letters/ })).toContainText(`${n(open)} open`);
    const signal = page.getByRole("region", { name: "Signals" }).getByRole("listitem").filter({ hasText: "New dead" });
    await expect(signal).toContainText(`${n(deaths)} jobs died in the last 15 min.`);
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const kinds = (await causesOf(all, { from: hourAgo })).map(({ kind, letters }) => `${kind} ${n(letters)}`);
    await expect(page.getByRole("figure", { name: /^New dead letters by kind, / })).toHaveAccessibleName(
      new RegExp(`: ${kinds.join(", ")}\\.$`),
    );
    await queue.locator('td[data-l="Dead"] a').click();
    await expect(page.getByText(`${n(dead)} match in persistence-retry`)).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Pages" })).toContainText(`1 to 100 of ${n(dead)}`);
    await page.goBack();
    await page.getByRole("link", { name: "Review dead letters" }).click();
  });

  await test.step("what is open, by error", async () => {
    await expect(page).toHaveURL(`${product.url}/dead-letters?queue=persistence-retry`);
    const dayAgo = new Date(Date.now() - 86_400_000).toISOString();
    await expectCauses(await causesOf(all, { states: ["open"] }), dayAgo);
  });

  const [from, to] = await test.step("the window of the incident, drawn over the last three hours", async () => {
    const filters = page.getByRole("toolbar", { name: "Filters" });
    await filters.getByRole("button", { name: "State", exact: true }).click();
    await page.getByRole("option", { name: "All states" }).click();
    await expect(page).toHaveURL(/state=all/);
    await page.keyboard.press("Escape");
    await filters.getByRole("button", { name: "Died", exact: true }).click();
    await page.getByRole("option", { name: "Last 3 hours" }).click();
    await expect(page).toHaveURL(/died=3h/);
    const threeHoursAgo = new Date(Date.now() - 3 * 3_600_000).toISOString();
    const inHours = await causesOf(all, { from: threeHoursAgo });
    await expectCauses(inHours, threeHoursAgo);
    const plot = page.getByRole("group", { name: "Chosen stretch of time" });
    const box = await plot.boundingBox();
    if (!box) throw new Error("the plot has no box");
    const at = (share: number) => [box.x + box.width * share, box.y + box.height / 3] as const;
    // From a few minutes before the first of it up to now.
    await page.mouse.move(...at(0.685));
    await page.mouse.down();
    await page.mouse.move(...at(0.999), { steps: 4 });
    await page.mouse.up();
    await expect(page).toHaveURL(/died=[^&]*Z\.\./);
    link = page.url();
    const [begin = "", end = ""] = (new URL(link).searchParams.get("died") ?? "").split("..");
    await expect(page.getByRole("figure", { name: /^Dead letters per / })).toHaveAccessibleName(
      new RegExp(` UTC: ${n(sum(inHours))} in all\\. Chosen: ${full(begin)} to ${full(end)}\\.$`),
    );
    return [begin, end] as const;
  });

  const causes = await causesOf(all, { from, to });
  await test.step("the incident is what was seeded, and what became of it since", async () => {
    const again = EQUIPMENT.elsewhere + EQUIPMENT.desk;
    expect(sum(causes)).toBe(INCIDENT_LETTERS + again);
    expect(
      causes.map(({ recovered, died_again, resolved, others }) => [recovered, died_again, resolved, others]),
    ).toEqual([
      [REWARDS.elsewhere + REWARDS.desk, 0, 0, 0],
      [0, again, 0, 0],
      [0, 0, 100, 0],
    ]);
    expect(sum(everything)).toBeGreaterThan(sum(causes));
    await expect(page.getByText(new RegExp(`, ${n(sum(causes))} letters`))).toBeVisible();
    await expectCauses(causes, from);
  });

  const [rewards = "", equipment = "", state = ""] = causes.map(({ kind }) => kind);
  await test.step("each error's own page", async () => {
    for (const kind of [rewards, state, equipment]) {
      await page.goto(link);
      await rows("Errors")
        .filter({ has: page.getByText(kind, { exact: true }) })
        .locator("a[data-primary]")
        .click();
      await expect(page).toHaveURL(/\/dead-letters\/groups\/\d+$/);
      const ever = everything.find((cause) => cause.kind === kind);
      if (!ever) throw new Error(`nothing died of ${kind}`);
      await expectGroup(ever);
    }
  });

  await test.step("the newest letter of the error that came back: both of its lives", async () => {
    const letter = await newestOf(all, equipment);
    await rows("Dead letters").first().locator("a[data-primary]").click();
    await expect(page).toHaveURL(`${product.url}/dead-letters/persistence-retry/${letter.id}`);
    const fact = (term: string) =>
      page.locator(".dhead dl > div").filter({ has: page.getByText(term, { exact: true }) });
    await expect(fact("Attempts").locator("dd")).toHaveText(`${letter.attempts} of ${letter.attempts}`);
    await expect(fact("Lives").locator("dd")).toHaveText("2");
    await expect(instant(fact("Died"))).toHaveAttribute("datetime", letter.died);
    await expect(page.getByRole("region", { name: "Error", exact: true }).locator(".errbox")).toHaveText(letter.error);
    const lives = page.getByRole("region", { name: "Timeline" }).getByRole("article");
    await expect(lives).toHaveCount(2);
    await expect(lives.first().getByRole("link")).toHaveAttribute(
      "href",
      `/dead-letters/persistence-retry/${letter.before}`,
    );
    await expect(lives.first()).toContainText(`${letter.by} pressed requeue: “${letter.reason}”`);
    await expect(lives.last()).toContainText(
      `${letter.requeuedClock} to ${letter.diedClock}, ${letter.kept} attempts kept`,
    );
  });

  await test.step("the window's link, and its letters and its timeline as files", async () => {
    await page.goto(link);
    await expectCauses(causes, from);
    const letters = await lettersOf(all, from, to);
    expect(letters).toHaveLength(sum(causes));
    const json = await fileOf(page, "JSON");
    expect(JSON.parse(json.text)).toEqual(letters);
    const csv = await fileOf(page, "CSV");
    const [head = [], ...lines] = cellsOf(csv.text);
    expect(lines).toEqual(letters.map((letter) => head.map((name) => `${letter[name] ?? ""}`)));
    expect(head).toEqual(Object.keys(letters[0] ?? {}));
    const timeline = await fileOf(page, "Timeline");
    const told = timeline.text.split("\n").filter((line) => /^(# |- )/.test(line));
    expect(told).toEqual(timelineOf(causes, await doneOf(all), from, to));
    expect(json.text + csv.text + timeline.text).not.toContain("tok-secret");
  });
});
