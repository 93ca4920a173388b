import type { Browser } from "playwright";
import { signedInPage } from "@/scripts/shots/signed-in";
import { THEMES, take } from "@/scripts/shots/take";
import { startProduct } from "@/scripts/testing/product";

/** The demo's panel with its faults unfolded: in a product of its own, for its world moves by itself. */
export async function shootDemo(browser: Browser): Promise<void> {
  const product = await startProduct();
  try {
    const page = await signedInPage(browser, product);
    for (const theme of THEMES) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      await page.goto(product.url);
      // The catalog is broken from the start: its first letters come within half a minute.
      await page.getByRole("link", { name: "Review dead letters" }).waitFor({ timeout: 90_000 });
      await page.getByText("Eight more faults").click();
      await page.evaluate(() => scrollTo(0, 0));
      await take(page, "demo", theme);
    }
  } finally {
    await product.end({ forget: true });
  }
}
