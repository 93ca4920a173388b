import { expect, type Page } from "playwright/test";
import { signedInPage } from "@/scripts/shots/signed-in";
import { insertOddRows } from "@/scripts/testing/odd-rows";
import { PLANTED, PLANTED_RULES, plantSecrets } from "@/scripts/testing/planted-secrets";
import { type Product, QUIET_ENGINE, startProduct } from "@/scripts/testing/product";
import { productRedis } from "@/scripts/testing/product-redis";
import { until } from "@/scripts/testing/until";
import { untilArchived } from "./pages/archive";
import { preflight, signIn } from "./pages/desk";
import { secretsIn, told } from "./pages/secrets";
import { test } from "./pages/test";

let product: Product;
let odd: Awaited<ReturnType<typeof insertOddRows>>;
test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  product = await startProduct({ env: { ...QUIET_ENGINE, ...PLANTED_RULES } });
  await (await signedInPage(browser, product)).context().close();
  const engine = product.pool("engine");
  await until(
    async () => (await engine.query("select to_regclass('reward_ledger') is not null as made")).rows[0]?.made,
  );
  odd = await insertOddRows(engine);
});
test.afterAll(() => product.end({ forget: true }));

/** A page must not carry an odd row's megabytes to the browser, nor take long over them. */
const HTML_MAX = 1_500_000;
const SHOWN_WITHIN_MS = 12_000;

/** Opens a page, and sees to it that it came whole, in time, not too large, and that nothing in it ran. */
async function open(page: Page, path: string): Promise<void> {
  const startedMs = performance.now();
  const response = await page.goto(`${product.url}${path}`);
  expect(response?.status(), path).toBe(200);
  expect((await response?.body())?.length, path).toBeLessThan(HTML_MAX);
  await expect(page.locator("main#main"), path).toBeVisible();
  expect(performance.now() - startedMs, path).toBeLessThan(SHOWN_WITHIN_MS);
  expect(await page.evaluate(() => "pwned" in window), path).toBe(false);
  await expect(page.getByRole("heading", { name: /could not be (read|shown)/i }), path).toHaveCount(0);
}

test("odd rows are listed and opened in bounded time and size, run nothing, and stay as they are", async ({ page }) => {
  test.setTimeout(300_000);
  const engine = product.pool("engine");
  const bytes = async () =>
    (
      await engine.query(
        `select md5(string_agg(md5(payload), ',' order by dead_letter_id)) as letters,
                (select md5(string_agg(md5(payload), ',' order by retry_job_id)) from persistence_retry_jobs) as jobs
           from persistence_job_dead_letters`,
      )
    ).rows[0];
  const before = await bytes();
  await signIn(page, product);
  const failures: string[] = [];
  page.on("pageerror", (error) => failures.push(error.message));

  await open(page, "/");
  await open(page, "/retries");
  const table = (name: string) => page.getByRole("table", { name }).locator("tr[data-row]");
  await expect(table("Retry rows")).toHaveCount(odd.size);
  await untilArchived(product);
  await open(page, "/dead-letters");
  const causes = ["错误 n 无法写入奖励", "خطأ n تعذر الحفظ", "🐉🔥 ?! %_%"];
  for (const cause of causes) await expect(table("Errors").filter({ hasText: cause }), cause).toHaveCount(1);
  await open(page, "/dead-letters?view=list");
  await expect(table("Dead letters")).toHaveCount(odd.size);
  for (const error of ["错误 418 无法写入奖励", "خطأ 12 تعذر الحفظ", "🐉🔥 ?! %_%", "80085 17 99"])
    await expect(table("Dead letters").filter({ hasText: error }), error).toHaveCount(1);
  for (const [name, { letterId, jobId }] of odd) {
    await open(page, `/dead-letters/persistence-retry/${letterId}`);
    await expect(preflight(page), name).toBeVisible();
    await open(page, `/retries?job=${jobId}`);
  }
  // What cannot be decoded is blocked in words, and has no control.
  for (const name of ["not JSON", "nothing at all"]) {
    await open(page, `/dead-letters/persistence-retry/${odd.get(name)?.letterId}`);
    await expect(preflight(page).getByText("The payload cannot be decoded")).toBeVisible();
    await expect(page.getByRole("button", { name: /^Requeue/ })).toHaveCount(0);
  }
  // Characters are shown by what they are, numbers by their digits.
  await open(page, `/dead-letters/persistence-retry/${odd.get("integers over 2^53")?.letterId}`);
  await expect(page.getByText("9007199254740993").first()).toBeVisible();
  await open(page, `/dead-letters/persistence-retry/${odd.get("emoji and markup")?.letterId}`);
  await expect(page.getByText("👩‍👩‍👧").first()).toBeVisible();
  expect(failures).toEqual([]);
  expect(await bytes()).toEqual(before);
});

test("characters that are not seen are shown by their names: in errors, kinds, zones and payloads, on a page and in a list", async ({
  page,
}) => {
  await signIn(page, product);
  const { letterId } = odd.get("an error of 1 MB with markup and colours") ?? {};
  await open(page, `/dead-letters/persistence-retry/${letterId}`);
  await expect(page.locator(".errbox").first()).toContainText("‹ESC›[31m‹RLO›xxx");
  const turned = odd.get("colours and a turned direction in kind and zone")?.letterId;
  await open(page, `/dead-letters/persistence-retry/${turned}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("‹ESC›[31mkind‹RLO›");
  await expect(page.locator("#main")).toContainText("‹ESC›[2Jzone‹RLO›");
  await expect(page.getByRole("region", { name: "Payload", exact: true })).toContainText("‹RLO›gnp.exe‹DEL›");
  for (const path of ["/retries", "/dead-letters?view=list"]) {
    await open(page, path);
    await expect(page.getByText("‹ESC›[31m‹RLO›").first()).toBeVisible();
    await expect(page.getByText("‹ESC›[31mkind‹RLO›").first()).toBeVisible();
  }
});

test("what people type is shown with everything in it seen, and runs nothing: a note, a reason, and both in the audit", async ({
  page,
}) => {
  const typed = 'evil \u202etxt.exe\u001b[31m <img src=x onerror="window.pwned = 1">';
  const seen = 'evil ‹RLO›txt.exe‹ESC›[31m <img src=x onerror="window.pwned = 1">';
  await signIn(page, product);
  await untilArchived(product);
  const { letterId } = odd.get("not JSON") ?? {};
  const { rows } = await product
    .pool("backstop_own")
    .query("select group_id::text as id from backstop.dead_letters where letter_id = $1", [letterId]);
  await open(page, `/dead-letters/groups/${rows[0]?.id}`);
  await page.getByLabel("New note").fill(typed);
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: seen })).toBeVisible();
  await open(page, `/dead-letters/persistence-retry/${letterId}`);
  await page.getByLabel("Reason for resolving").fill(typed);
  await page.getByRole("button", { name: "Resolve 1 letter" }).click();
  await expect(page.getByText("Resolved by Maya Okafor")).toContainText(seen);
  await open(page, "/audit");
  for (const action of ["note", "resolve"]) {
    const row = page.getByRole("row").filter({ has: page.getByText(action, { exact: true }) });
    await expect(row.first(), action).toContainText(seen);
  }
});

test("what is masked is in no page, no flight data, no file, no answer and no log until it is revealed, and each wish to see it is audited", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const redis = productRedis(product);
  const planted = await plantSecrets(product.pool("engine"), redis);
  redis.disconnect();
  await signIn(page, product);
  const own = product.pool("backstop_own");
  const ids = [planted.letterId, planted.notJsonId, planted.journalLetterId];
  const kept = "select count(*)::int as kept from backstop.dead_letters where letter_id = any($1)";
  await until(async () => (await own.query(kept, [ids])).rows[0]?.kept === ids.length);
  const letter = `/dead-letters/persistence-retry/${planted.letterId}`;
  const journal = `/dead-letters/session-lifecycle/${planted.journalLetterId}`;
  const secrets = Object.values(PLANTED);
  const paths = [
    ...["/", "/retries", `/retries?job=${planted.jobId}`, "/lists", "/lists?list=dead_letter", "/dead-letters"],
    ...["/dead-letters?view=list", "/dead-letters?q=refused", letter, journal],
    ...[`/dead-letters/persistence-retry/${planted.notJsonId}`, "/api/export/letters?format=csv"],
    ...["/api/export/letters?format=json", "/api/export/timeline", "/api/lists/session-lifecycle", "/api/overview"],
  ];
  expect(await secretsIn(page, product.url, paths, secrets)).toEqual([]);
  // What was searched is the letter, not a page that says that it could not be shown.
  for (const headers of [{}, { rsc: "1" }] as Record<string, string>[])
    expect(await (await page.request.get(product.url + letter, { headers })).text()).toContain("‹redacted, 20 bytes›");
  const { rows } = await own.query("select d::text as row from backstop.dead_letters d");
  expect(told(rows.map(({ row }) => row).join("\n"), secrets)).toEqual([]);

  await page.goto(product.url + letter);
  await expect(page.getByText(/redacted, \d+ bytes/).first()).toBeVisible();
  await page.getByRole("button", { name: "Reveal what is masked" }).click();
  await expect(page.getByText("Nothing is masked now.")).toBeVisible();
  for (const secret of [PLANTED.token, PLANTED.path, PLANTED.card])
    await expect(page.locator("#main")).toContainText(secret);
  await page.getByRole("button", { name: "Hide again" }).click();
  await expect(page.locator("#main")).not.toContainText(PLANTED.token);
  // What is not JSON is hidden whole until then.
  await page.goto(`${product.url}/dead-letters/persistence-retry/${planted.notJsonId}`);
  await page.getByRole("button", { name: "Reveal what is masked" }).click();
  await expect(page.locator("#main")).toContainText(PLANTED.token);

  const audit = await own.query(
    "select phase, outcome, target from backstop.audit where action = 'reveal' order by at",
  );
  const target = { queue: "persistence-retry", letterId: planted.letterId };
  expect(audit.rows.slice(0, 2)).toEqual([
    { phase: "intent", outcome: null, target },
    { phase: "outcome", outcome: "revealed", target },
  ]);
  expect(told(product.output() + JSON.stringify(audit.rows), secrets)).toEqual([]);
});
