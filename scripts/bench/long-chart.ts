import type pg from "pg";
import { chromium, type Page } from "playwright";
import { signedInPage } from "@/scripts/shots/signed-in";
import { chromiumArgs, chromiumPath } from "@/scripts/testing/chromium";
import { QUIET_ENGINE, startProduct } from "@/scripts/testing/product";
import { atMost, type Figure } from "./figure";
import { rounded } from "./rounds";

const KB_MAX = 50;
const TASK_MAX_MS = 200;
const PAGES = { Overview: "/?range=30d", Retries: "/retries?range=30d" };

/** 30 days by the minute, with numbers of many digits that differ from minute to minute. */
const FILL = `
  insert into backstop.samples_minute (queue, minute, read_at, due, scheduled, retrying, leased, expired, processing, dead, open,
      oldest_due_ms, age_10s, age_1m, age_5m, age_30m, age_older, done, failed, died, lost_leases, stale_settles)
  select queue, at, at, 5000 + n * 7 % 3001, 11 + n % 13, n * 3 % 401, n % 64, 0, case queue when 'session-lifecycle' then 6 end,
      1000 + n / 40, 900 + n / 40, (n * 7919 % 1800000), 1000 + n % 997, 800 + n % 499, 500 + n % 251, 300 + n % 127,
      200 + n % 63, 400 + n * 13 % 211, n * 17 % 37, n * 11 % 5, 0, 0
    from (select n, date_trunc('minute', statement_timestamp()) - n * interval '1 minute' as at from generate_series(1, 43200) n) as m,
      unnest(array['persistence-retry', 'session-lifecycle']) as queue
  on conflict do nothing`;

/** What a chart of 30 days weighs on the wire, and how long the browser is busy with it at a stretch. */
export async function longChart(): Promise<Figure[]> {
  const product = await startProduct({ env: QUIET_ENGINE });
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs });
  try {
    await (product.pool("backstop_own") as pg.Pool).query(FILL);
    const page = await signedInPage(browser, product);
    const answer = await page.request.get(`${product.url}/api/history?range=30d`);
    const plain = (await answer.body()).length;
    const wire = await wireBytes(page, `${product.url}/api/history?range=30d`);
    const figures = [
      atMost(
        "a chart of 30 days, its data as sent",
        rounded(wire / 1024),
        "KB",
        KB_MAX,
        `${rounded(plain / 1024)} KB unpacked`,
      ),
    ];
    for (const [name, path] of Object.entries(PAGES)) {
      const longest = await longestTask(page, product.url + path);
      figures.push(atMost(`longest task of ${name} over 30 days`, rounded(longest, 0), "ms", TASK_MAX_MS));
    }
    return figures;
  } finally {
    await browser.close();
    await product.end({ forget: true });
  }
}

async function wireBytes(page: Page, url: string): Promise<number> {
  const [response] = await Promise.all([
    page.waitForResponse(url),
    page.evaluate((path) => fetch(path).then((answer) => answer.text()), url),
  ]);
  return (await response.request().sizes()).responseBodySize;
}

/** The longest that the main thread was busy, ms: loading the page, drawing, the crosshair moved across each chart. */
async function longestTask(page: Page, url: string): Promise<number> {
  await page.addInitScript(() => {
    const seen = window as typeof window & { longest?: number };
    seen.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest ?? 0, duration);
    }).observe({ type: "longtask", buffered: true });
  });
  await page.goto(url, { waitUntil: "load" });
  const charts = page.locator(".recharts-surface");
  await charts.first().waitFor();
  await page.waitForTimeout(1_500);
  for (let nth = 0; nth < (await charts.count()); nth += 1) {
    const chart = charts.nth(nth);
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    if (!box) continue;
    for (let step = 1; step < 20; step += 1)
      await page.mouse.move(box.x + (box.width * step) / 20, box.y + box.height / 2);
  }
  await page.waitForTimeout(1_500);
  return page.evaluate(() => (window as typeof window & { longest?: number }).longest ?? 0);
}
