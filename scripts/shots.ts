import { mkdirSync } from "node:fs";
import { type Browser, chromium } from "playwright";
import { shootDemo } from "./shots/demo";
import { PAGES_OF } from "./shots/pages";
import { makeShownWorld } from "./shots/shown-world";
import { signedInPage } from "./shots/signed-in";
import { FOLDER, THEMES, take } from "./shots/take";
import { chromiumArgs, chromiumPath } from "./testing/chromium";
import { QUIET_ENGINE, startProduct } from "./testing/product";

/**
 * `npm run shots [-- NAME…]`: every page on fixed data, and the demo's panel, dark and light, at three widths, into
 * shots/; or those named.
 */
const NAMED = process.argv.slice(2);
const wanted = (name: string) => NAMED.length === 0 || NAMED.includes(name);

mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs });
try {
  if (NAMED.length === 0 || NAMED.some((name) => name !== "demo")) await shootPages(browser);
  if (wanted("demo")) await shootDemo(browser);
  console.log(`Pictures are in ${FOLDER}/.`);
} finally {
  await browser.close();
}

async function shootPages(browser: Browser): Promise<void> {
  const product = await startProduct({ env: QUIET_ENGINE });
  try {
    const pages = PAGES_OF(await makeShownWorld(product)).filter(({ name }) => wanted(name));
    const state = await (await signedInPage(browser, product)).context().storageState();
    for (const theme of THEMES) {
      for (const { name, path, open } of pages) {
        const context = await browser.newContext({ colorScheme: theme, storageState: open ? undefined : state });
        const page = await context.newPage();
        await page.goto(product.url + path);
        await take(page, name, theme);
        await context.close();
      }
    }
  } finally {
    await product.end({ forget: true });
  }
}
