import { readFileSync } from "node:fs";
import type { Page } from "playwright/test";
import { expect } from "playwright/test";
import { PAGES_OF, type ShownPage } from "@/scripts/shots/pages";
import { makeShownWorld } from "@/scripts/shots/shown-world";
import { signedInPage } from "@/scripts/shots/signed-in";
import { type Product, QUIET_ENGINE, startProduct } from "@/scripts/testing/product";
import { test } from "./pages/test";

// Every page, in both themes: nothing to scroll sideways from 320 px up, no value cut in a stacked row, and no serious
// fault for a screen reader.

type State = Awaited<ReturnType<ReturnType<Page["context"]>["storageState"]>>;

const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const WIDTHS = [1440, 1024, 721, 390, 320];
const AXE_WIDTHS = [1440, 1024, 390];

let product: Product;
let pages: ShownPage[];
let state: State;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  product = await startProduct({ env: QUIET_ENGINE });
  pages = PAGES_OF(await makeShownWorld(product));
  state = await (await signedInPage(browser, product)).context().storageState();
});
test.afterAll(() => product?.end({ forget: true }));

for (const theme of ["dark", "light"] as const) {
  test(`every page, ${theme}: no sideways scroll, no cut value, no serious axe fault, no error in the console`, async ({
    browser,
  }) => {
    test.setTimeout(300_000);
    const faults: string[] = [];
    for (const { name, path, open } of pages) {
      const context = await browser.newContext({
        colorScheme: theme,
        reducedMotion: "reduce",
        storageState: open ? undefined : state,
      });
      const page = await context.newPage();
      page.on("pageerror", (error) => faults.push(`${name}: ${error.message}`));
      page.on("console", (message) => {
        const missing = name === "not-found" && message.text().includes("404");
        if (message.type() === "error" && !missing) faults.push(`${name}: console: ${message.text()}`);
      });
      await page.goto(product.url + path);
      await expect(page.locator("h1").first()).toBeVisible();
      await page.waitForTimeout(300);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (over > 0) faults.push(`${name} at ${width}: scrolls sideways by ${over} px`);
        if (width <= 390) faults.push(...(await cutCells(page)).map((cell) => `${name} at ${width}: cut: ${cell}`));
        if (AXE_WIDTHS.includes(width))
          faults.push(...(await axeFaults(page)).map((fault) => `${name} at ${width}: ${fault}`));
      }
      await context.close();
    }
    expect(faults).toEqual([]);
  });
}

/** Cells of stacked rows that hold more than they show. */
function cutCells(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".t.stack td")]
      .filter((cell) => cell.scrollWidth > cell.clientWidth)
      .map((cell) => `${cell.dataset.l}: ${cell.textContent}`),
  );
}

type Violation = { id: string; impact: string | null; nodes: { target: string[] }[] };

async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe;
    return (await axe.run()).violations;
  });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.target.join(" ")}`);
}
