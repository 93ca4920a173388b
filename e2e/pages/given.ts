import { readdirSync, readFileSync } from "node:fs";
import { expect, type Page } from "playwright/test";
import { AUDIENCE, type TestEngine } from "@/scripts/testing/engine";
import type { GivenStores } from "@/scripts/testing/given-stores";

/** The environment of a desk that is pointed at somebody's stores and game server, as `docs/your-system.md` has it. */
export function deskEnv(given: GivenStores, engine: TestEngine): Record<string, string> {
  return {
    DATABASE_URL: given.postgresUrl("desk_read"),
    REDIS_URL: given.redisUrl,
    BACKSTOP_DATABASE_URL: given.postgresUrl("desk_own"),
    BACKSTOP_SECRET: given.engine.backstopSecret,
    BACKSTOP_ENGINE_URL: engine.url,
    BACKSTOP_RPC_AUDIENCE: AUDIENCE,
    BACKSTOP_RPC_KEYS: given.engine.rpcKeys,
  };
}

/** A queue's row on the Overview. */
export const queueRow = (page: Page, name: string) =>
  page.getByRole("table", { name: "Queues" }).getByRole("row").filter({ hasText: name });

/** The number under a heading of the queues' table, as a screen reader hears the two together. */
export async function cellOf(page: Page, queue: string, head: string): Promise<string> {
  const table = page.getByRole("table", { name: "Queues" });
  const heads = await table.getByRole("columnheader").allInnerTexts();
  const index = heads.findIndex((text) => text.trim() === head);
  expect(index, `a column ${head} among ${heads.join(", ")}`).toBeGreaterThan(0);
  // The first cell of a row is its heading.
  const cell = queueRow(page, queue)
    .getByRole("cell")
    .nth(index - 1);
  return ((await cell.textContent()) ?? "").trim();
}

/** What the desk says that it cannot show here. */
export const gaps = (page: Page) => page.getByRole("region", { name: "What this store cannot show" });

/** Where the letter's page says what became of it. */
export const outcome = (page: Page) => page.getByRole("region", { name: "Outcome" });

/** The command lines of everything that a process has started, and what those have. */
export function commandsUnder(pid: number): string[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      // It ended while we looked.
    }
  }
  const below = (of: number): number[] =>
    [...parents].flatMap(([child, parent]) => (parent === of ? [child, ...below(child)] : []));
  return below(pid).map((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").replaceAll("\0", " ").trim());
}
