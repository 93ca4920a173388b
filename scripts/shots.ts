import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "playwright";
import { PAGES_OF } from "./shots/pages";
import { signedInPage } from "./shots/signed-in";
import { chromiumArgs, chromiumPath } from "./testing/chromium";
import { makeFixedWorld } from "./testing/fixed-world";
import { QUIET_ENGINE, startProduct } from "./testing/product";

/** `npm run shots [-- NAME…]`: every page on fixed data, dark and light, at three widths, into shots/; or those named. */
const NAMED = process.argv.slice(2);
const WIDTHS = [1440, 1024, 390];
const THEMES = ["dark", "light"] as const;
const FOLDER = "shots";

mkdirSync(FOLDER, { recursive: true });
const product = await startProduct({ env: QUIET_ENGINE });
const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs });
try {
  const world = await makeFixedWorld(product.pool("engine"));
  const state = await (await signedInPage(browser, product)).context().storageState();
  for (const theme of THEMES) {
    for (const { name, path, open } of PAGES_OF(world)) {
      if (NAMED.length > 0 && !NAMED.includes(name)) continue;
      const context = await browser.newContext({ colorScheme: theme, storageState: open ? undefined : state });
      const page = await context.newPage();
      await page.goto(product.url + path);
      await settled(page);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
        await page.waitForTimeout(200);
        await page.screenshot({ path: join(FOLDER, `${name}-${width}-${theme}.png`), fullPage: width !== 1440 });
      }
      await context.close();
    }
  }
  console.log(`Pictures are in ${FOLDER}/.`);
} finally {
  await browser.close();
  await product.end({ forget: true });
}

/** Until nothing on the page says that it is still being read. */
async function settled(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.getByText("The plan is being made.").waitFor({ state: "hidden" });
  await page.waitForTimeout(400);
}
