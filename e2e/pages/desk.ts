import { expect, type Page, type Request } from "playwright/test";
import type { Product } from "@/scripts/testing/product";

export const ADMIN = { username: "maya", name: "Maya Okafor", password: "correct horse battery" };

/** Opens the printed link and becomes the first admin. Ends on the Overview. */
export async function setUp(page: Page, product: Product): Promise<void> {
  if (!product.setupUrl) throw new Error("no set-up link was printed");
  await page.goto(product.setupUrl);
  await page.getByLabel("Username").fill(ADMIN.username);
  await page.getByLabel("Your name").fill(ADMIN.name);
  await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
  await page.getByRole("button", { name: "Set up Backstop" }).click();
  await expect(page.getByRole("navigation", { name: "Main", exact: true })).toBeVisible();
}

export async function signIn(
  page: Page,
  product: Product,
  who: { username: string; password: string } = ADMIN,
): Promise<void> {
  await page.goto(`${product.url}/sign-in`);
  await page.getByLabel("Username").fill(who.username);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("navigation", { name: "Main", exact: true })).toBeVisible();
}

/** The preflight of the letter on the screen, once it was stored as a plan. */
export const preflight = (page: Page) => page.getByRole("complementary", { name: "Preflight and requeue" });

export const requeueButton = (page: Page) => page.getByRole("button", { name: /^Requeue 1 letter/ });

/** What became of the click, in whichever panel shows it. */
export const outcome = (page: Page) => page.getByRole("region", { name: "Outcome" });

/** What the server says to an action that was sent before, sent again by this page's user; `body`: with other arguments. */
export async function replay(page: Page, product: Product, request: Request, body?: string): Promise<string> {
  const { "next-action": action = "", "content-type": type = "" } = request.headers();
  const answer = await page.request.post(request.url(), {
    headers: { "next-action": action, origin: product.url, "content-type": type },
    data: body ?? request.postDataBuffer() ?? undefined,
  });
  return answer.text();
}
