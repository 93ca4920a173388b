import { type BrowserContext, expect, type Page } from "playwright/test";
import { cellOf, queueRow } from "./given";

export type EveryPage = Record<
  "overview" | "retries" | "lists" | "errors" | "list" | "group" | "letter" | "audit" | "users" | "you" | "runbook",
  Page
>;
/** What the pages are of: one letter that is dead, and its error. */
export type Shown = { url: string; letterId: string; groupId: string };

const PATHS = ({ letterId, groupId }: Shown): Record<keyof EveryPage, string> => ({
  overview: "/",
  retries: "/retries?range=1h",
  lists: "/lists",
  errors: "/dead-letters",
  list: "/dead-letters?view=list",
  group: `/dead-letters/groups/${groupId}`,
  letter: `/dead-letters/persistence-retry/${letterId}`,
  audit: "/audit",
  users: "/users",
  you: "/you",
  runbook: "/runbook",
});

/** Each page of the desk in a tab of its own. */
export async function openEveryPage(context: BrowserContext, shown: Shown): Promise<EveryPage> {
  const opened = Object.entries(PATHS(shown)).map(async ([name, path]) => {
    const page = await context.newPage();
    await page.goto(shown.url + path);
    return [name, page] as const;
  });
  return Object.fromEntries(await Promise.all(opened)) as EveryPage;
}

export async function closeEveryPage(pages: EveryPage): Promise<void> {
  await Promise.all(Object.values(pages).map((page) => page.close()));
}

/** What a page says of what it lacks. */
const LACKS = /could not be read|cannot be read|does not answer|has not answered|Data is /;

export const letterLink = (page: Page, { letterId }: Shown) => page.locator(`a[href$="${letterId}"]`).first();
export const chart = (page: Page) => page.getByRole("figure", { name: /^Backlog of persistence-retry, / });
export const listRows = (page: Page) => page.getByRole("table", { name: "Pending" }).locator("tbody tr");
export const letterHead = (page: Page) => page.getByRole("heading", { level: 1, name: /^combat_rewards for/ });

/** Every page shows all that it has, and speaks of nothing that it lacks; `but` are left out. */
export async function expectWhole(
  pages: EveryPage,
  shown: Shown,
  { but = [], timeout = 20_000 }: { but?: (keyof EveryPage)[]; timeout?: number } = {},
): Promise<void> {
  const shows: Record<keyof EveryPage, (page: Page) => Promise<void>> = {
    async overview(page) {
      await expect(page.getByRole("heading", { level: 1 })).toContainText("1 dead letter waits for a decision.", {
        timeout,
      });
      await expect(queueRow(page, "session-lifecycle")).not.toContainText("answer", { timeout });
      await expect.poll(() => cellOf(page, "persistence-retry", "Dead")).toBe("1");
      await expect(chart(page)).toBeVisible({ timeout });
    },
    async retries(page) {
      await expect(page.getByRole("row").filter({ hasText: "combat_rewards" }).first()).toBeVisible({ timeout });
      await expect(page.getByRole("complementary", { name: "Leases by worker" })).toBeVisible();
      await expect(chart(page)).toBeVisible({ timeout });
    },
    async lists(page) {
      await expect(listRows(page)).toHaveCount(1, { timeout });
      await expect(page.getByRole("complementary", { name: "Who holds what" })).toContainText("master", { timeout });
    },
    errors: (page) =>
      expect(page.getByRole("table", { name: "Errors" }).locator("tr[data-row]")).toHaveCount(1, { timeout }),
    list: (page) => expect(letterLink(page, shown)).toBeVisible({ timeout }),
    group: (page) => expect(letterLink(page, shown)).toBeVisible({ timeout }),
    async letter(page) {
      await expect(letterHead(page)).toBeVisible({ timeout });
      await expect(page.getByRole("heading", { name: "This letter cannot be requeued" })).toBeVisible({ timeout });
    },
    audit: (page) =>
      expect(page.getByRole("table", { name: "Audit entries" }).locator("tr[data-row]").first()).toBeVisible({
        timeout,
      }),
    users: (page) =>
      expect(page.getByRole("table", { name: "Accounts" }).getByText("Maya Okafor")).toBeVisible({ timeout }),
    you: (page) => expect(page.getByRole("table", { name: "What you may do" })).toBeVisible({ timeout }),
    runbook: (page) => expect(page.getByRole("heading", { level: 1, name: "Runbook" })).toBeVisible(),
  };
  for (const [name, page] of Object.entries(pages) as [keyof EveryPage, Page][]) {
    if (but.includes(name)) continue;
    await shows[name](page);
    // The runbook is about such words.
    if (name !== "runbook") await expect(page.locator("#main").getByText(LACKS), name).toHaveCount(0, { timeout });
  }
}
