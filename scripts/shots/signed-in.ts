import type { Browser, Page } from "playwright";
import type { Product } from "@/scripts/testing/product";

/** A page of a fresh browser, signed in as the first admin (made through the printed set-up link). */
export async function signedInPage(browser: Browser, product: Product): Promise<Page> {
  if (!product.setupUrl) throw new Error("no set-up link was printed");
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(product.setupUrl);
  await page.getByLabel("Username").fill("maya");
  await page.getByLabel("Your name").fill("Maya Okafor");
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Set up Backstop" }).click();
  await page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
  return page;
}
