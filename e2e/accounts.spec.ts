import { type BrowserContext, expect, type Page } from "playwright/test";
import { type Product, QUIET_ENGINE, startProduct } from "@/scripts/testing/product";
import { ADMIN, setUp, signIn } from "./pages/desk";
import { test } from "./pages/test";

let product: Product;
let session: Awaited<ReturnType<BrowserContext["cookies"]>>;
test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  product = await startProduct({ env: QUIET_ENGINE });
  const page = await browser.newPage();
  await setUp(page, product);
  session = await page.context().cookies();
  await page.close();
});
test.afterAll(() => product?.end({ forget: true }));

const button = (page: Page, name: string) => page.getByRole("button", { name });
const open = (page: Page, path: string) => page.goto(`${product.url}${path}`);

test("an admin adds a user whose password is shown, is told of a name that is taken, and changes the account", async ({
  page,
  browser,
}) => {
  await page.context().addCookies(session);
  await open(page, "/users");
  const add = async () => {
    await page.getByLabel("Username").fill("vera");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Vera Holm");
    await button(page, "Add user").click();
  };
  await add();
  await expect(page.getByText("The first password of vera is shown this once")).toBeVisible();
  await expect(page.getByLabel("Username")).toHaveValue("");
  const row = page.getByRole("table", { name: "Accounts" }).getByRole("row", { name: /Vera Holm/ });
  await expect(row).toBeVisible();
  const first = (await page.locator("form code").textContent()) ?? "";
  await add();
  await expect(page.getByRole("alert").getByText("Somebody has this username already.")).toBeVisible();
  await expect(page.getByLabel("Username")).toHaveValue("vera");

  const vera = await (await browser.newContext()).newPage();
  await signIn(vera, product, { username: "vera", password: first });
  await open(vera, "/you");
  const change = async (current: string, next: string) => {
    await vera.getByLabel("Present password").fill(current);
    await vera.getByLabel("New password").fill(next);
    await button(vera, "Change password").click();
  };
  await vera.getByRole("textbox", { name: "Name", exact: true }).fill("ci");
  await button(vera, "Make token").click();
  await expect(vera.getByText("The token ci is shown this once")).toBeVisible();
  const tokens = vera.getByRole("table", { name: "Your API tokens" });
  await expect(tokens.getByText("ci")).toBeVisible();
  await button(vera, "Revoke ci").click();
  await expect(tokens).toBeHidden();
  await change("not it", "another long password");
  await expect(vera.getByRole("alert").getByText("That is not your present password.")).toBeVisible();
  await change(first, "short");
  await expect(vera.getByRole("alert").getByText("Your password was not changed.")).toBeVisible();
  await change(first, "another long password");
  await expect(vera.getByText("Your password is changed")).toBeVisible();
  await expect(vera.getByLabel("Present password")).toHaveValue("");
  await expect(vera.getByRole("alert").getByText("not your present")).toBeHidden();

  await row.getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Change Vera Holm" })).toBeFocused();
  // The form of a new account has a role, too, until this one is there.
  await page.getByRole("form", { name: "Change vera" }).getByLabel("Role").selectOption("operator");
  await button(page, "Save role and limits").click();
  await expect(page.getByText("vera is changed")).toBeVisible();
  await expect(row.getByText("Operator")).toBeVisible();
  await button(page, "Reset password").click();
  await expect(page.getByText("The new password of vera is shown this once")).toBeVisible();
  await button(page, "Disable").click();
  await expect(page.getByText("vera is disabled")).toBeVisible();
  await expect(page.getByText("is shown this once")).toBeHidden();
  await expect(row.getByText("Disabled")).toBeVisible();
  await button(page, "Enable").click();
  await expect(page.getByText("vera is enabled")).toBeVisible();

  await page.getByRole("link", { name: ADMIN.name }).first().click();
  await expect(page.getByRole("heading", { name: `Change ${ADMIN.name}` })).toBeVisible();
  await button(page, "Disable").click();
  await expect(page.getByRole("alert").getByText("this is the last admin")).toBeVisible();
  await product.pool("backstop_own").query("delete from backstop.sessions");
  await button(page, "End sessions and tokens").click();
  await expect(page).toHaveURL(/sign-in/);
});
