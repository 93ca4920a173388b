import { chromium, type Page, type Request } from "playwright";
import { signedInPage } from "@/scripts/shots/signed-in";
import { chromiumArgs, chromiumPath } from "@/scripts/testing/chromium";
import { makeFixedWorld } from "@/scripts/testing/fixed-world";
import { QUIET_ENGINE, startProduct } from "@/scripts/testing/product";
import { atMost, type Figure } from "./figure";

const KB_MAX = 200;

/**
 * JavaScript that a browser with an empty cache loads for each page, as it came over the wire (compressed); and what
 * comes by itself once the page is loaded, which is only reported: the charts' code, where charts are in view.
 */
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
      const { first, later } = await scriptBytes(await context.newPage(), product.url + path);
      const note = later > 0 ? `${kilobytes(later)} KB more once it is loaded and at rest` : undefined;
      figures.push(atMost(`JavaScript of the first load, ${name}`, kilobytes(first), "KB", KB_MAX, note));
      await context.close();
    }
    return figures;
  } finally {
    await browser.close();
    await product.end({ forget: true });
  }
}

const kilobytes = (bytes: number) => Math.round(bytes / 102.4) / 10;

async function scriptBytes(page: Page, url: string): Promise<{ first: number; later: number }> {
  const bytes = { first: 0, later: 0 };
  let loaded = false;
  page.on("load", () => {
    loaded = true;
  });
  const asked = new Map<Request, "first" | "later">();
  page.on("request", (request) => asked.set(request, loaded ? "later" : "first"));
  const sizes: Promise<void>[] = [];
  page.on("requestfinished", (request) => {
    if (request.resourceType() !== "script") return;
    const added = request.sizes().then((size) => {
      bytes[asked.get(request) ?? "first"] += size.responseBodySize;
    });
    sizes.push(added);
  });
  await page.goto(url, { waitUntil: "load" });
  await page.waitForTimeout(1_500);
  await Promise.all(sizes);
  return bytes;
}
