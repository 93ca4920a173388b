import { chromium, type Page } from "playwright";
import { signedInPage } from "@/scripts/shots/signed-in";
import { chromiumArgs, chromiumPath } from "@/scripts/testing/chromium";
import { makeFixedWorld } from "@/scripts/testing/fixed-world";
import { QUIET_ENGINE, startProduct } from "@/scripts/testing/product";
import { atMost, type Figure } from "./figure";

const KB_MAX = 200;

/** JavaScript that a browser with an empty cache loads for each page, as it came over the wire (compressed). */
export async function firstLoad(): Promise<Figure[]> {
  const product = await startProduct({ env: QUIET_ENGINE });
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs });
  try {
    const world = await makeFixedWorld(product.pool("engine"));
    const first = await signedInPage(browser, product);
    const state = await first.context().storageState();
    const paths = {
      overview: "/",
      retries: "/retries",
      "dead letters": "/dead-letters",
      letter: `/dead-letters/persistence-retry/${world.warned}`,
    };
    const figures: Figure[] = [];
    for (const [name, path] of Object.entries(paths)) {
      const context = await browser.newContext({ storageState: state });
      const bytes = await scriptBytes(await context.newPage(), product.url + path);
      figures.push(atMost(`JavaScript of the first load, ${name}`, Math.round(bytes / 102.4) / 10, "KB", KB_MAX));
      await context.close();
    }
    return figures;
  } finally {
    await browser.close();
    await product.end({ forget: true });
  }
}

async function scriptBytes(page: Page, url: string): Promise<number> {
  let bytes = 0;
  const sizes: Promise<void>[] = [];
  page.on("requestfinished", (request) => {
    if (request.resourceType() !== "script") return;
    const added = request.sizes().then((size) => {
      bytes += size.responseBodySize;
    });
    sizes.push(added);
  });
  await page.goto(url, { waitUntil: "load" });
  await page.waitForTimeout(1_500);
  await Promise.all(sizes);
  return bytes;
}
