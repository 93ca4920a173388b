import { join } from "node:path";
import type { Page } from "playwright";

const WIDTHS = [1440, 1024, 390];
export const THEMES = ["dark", "light"] as const;
export const FOLDER = "shots";

/** Pictures of a page as it stands, at each width: the window on a desk, the whole page below that. */
export async function take(page: Page, name: string, theme: (typeof THEMES)[number]): Promise<void> {
  await settled(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(FOLDER, `${name}-${width}-${theme}.png`), fullPage: width !== 1440 });
  }
}

/** Until nothing on the page says that it is still being read. */
async function settled(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.getByText("The plan is being made.").waitFor({ state: "hidden" });
  // Charts are drawn when they come into view.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.waitForTimeout(200);
  await page.locator(".chartwait").first().waitFor({ state: "detached" });
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(400);
}
