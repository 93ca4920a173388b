import { expect } from "playwright/test";
import { createUser } from "@/lib/auth/users";
import { type Product, QUIET_ENGINE, startProduct } from "@/scripts/testing/product";
import { setUp, signIn } from "./pages/desk";
import { fileOf } from "./pages/file-of";
import { test } from "./pages/test";

// Who did what: found by its filter, handed on by its address, taken along as a file, and checked.

const VERA = { username: "vera", password: "a viewer's long password" };

let product: Product;
test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000);
  product = await startProduct({ env: QUIET_ENGINE });
  const page = await browser.newPage();
  await setUp(page, product);
  await page.close();
  await createUser(product.pool("backstop_own"), { ...VERA, displayName: "=Vera", role: "viewer" });
});
test.afterAll(() => product?.end({ forget: true }));

test("a sign-in is found in the audit by who did it, has an address of its own, and is in the file without a formula", async ({
  page,
}) => {
  await signIn(page, product, VERA);
  await page.getByRole("link", { name: "Audit" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Audit" })).toBeVisible();
  await expect(
    page.getByText(/checked .*: (there was no row yet|nothing wrong among the \d+ rows? that there w)/),
  ).toBeVisible();
  const rows = page.getByRole("table", { name: "Audit entries" }).locator("tr[data-row]");
  await expect(rows.first()).toContainText("sign_in");

  await page.getByRole("button", { name: "Who" }).click();
  await page.getByRole("option", { name: "=Vera" }).click();
  await expect(page).toHaveURL(/\/audit\?who=[\da-f-]{36}$/);
  await expect(rows).toHaveCount(1);
  const { name, text } = await fileOf(page, "CSV");
  expect(name).toMatch(/^audit-\d{8}-\d{6}\.csv$/);
  expect(text.split("\r\n")[1]).toMatch(/,sign_in,[\da-f-]{36},'=Vera,viewer,loopback,/);
  expect(JSON.parse((await fileOf(page, "JSON")).text)).toMatchObject([{ action: "sign_in", actor_name: "=Vera" }]);

  await rows.first().locator("a[data-primary]").click();
  await expect(page).toHaveURL(/\/audit\/\d+$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("sign_in by =Vera");
  await expect(page.getByText(/^day:\d{4}-\d\d-\d\d$/)).toBeVisible();
});

test("what a check found wrong stands over the list, with a link to the row", async ({ page }) => {
  await signIn(page, product, VERA);
  const finding = { kind: "edited", id: "1", sentence: "Row 1 was changed: it does not say what was written." };
  await product
    .pool("backstop_own")
    .query("insert into backstop.audit_checks (rows, wrong, findings) values (3, 1, $1)", [JSON.stringify([finding])]);
  await page.goto(`${product.url}/audit`);
  const banner = page.locator(".banner").filter({ hasText: finding.sentence });
  await banner.getByRole("link", { name: "Row 1" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("set_up by Maya Okafor");
});
