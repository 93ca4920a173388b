import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import type pg from "pg";
import { chromium } from "playwright";
import { signedInPage } from "@/scripts/shots/signed-in";
import { chromiumArgs, chromiumPath } from "@/scripts/testing/chromium";
import { type GivenStores, startGivenStores } from "@/scripts/testing/given-stores";
import { type Product, startProduct } from "@/scripts/testing/product";
import { atMost, type Figure } from "./figure";
import { rounded } from "./rounds";

const POLLERS = 50;
const SECONDS = 30;

/** What one tab on the Overview and one on the Retries page ask, and how often (ms), as the pages do. */
const POLLS: [path: string, everyMs: number][] = [
  ["/api/overview", 2_000],
  ["/api/workers/persistence-retry", 2_000],
  ["/api/history?range=1h", 5_000],
  ["/api/recent", 5_000],
  ["/api/dead-letters/new?since=1", 5_000],
];

type Cost = { statements: number; commands: number };

/**
 * What 50 tabs cost the game's stores beside one: transactions of its database, where each reading is one, and commands
 * of its Redis. The keeper, which samples the same stores, works in both counts.
 */
export async function pollers(): Promise<Figure[]> {
  // The services' own handles keep no process alive: without this it would end while it waits for theirs.
  const alive = setInterval(() => {}, 60_000);
  const [game, own] = [await startGivenStores(), await startGivenStores()];
  let product: Product | undefined;
  try {
    product = await startProduct({
      env: {
        DATABASE_URL: game.postgresUrl("desk_read"),
        REDIS_URL: game.redisUrl,
        BACKSTOP_DATABASE_URL: own.postgresUrl("desk_own"),
        BACKSTOP_SECRET: own.engine.backstopSecret,
      },
    });
    const cookie = await signIn(product);
    const ask = askerOf(product.url, cookie);
    await countWhile(game, () => poll(ask, 1, 5));
    const one = await countWhile(game, () => poll(ask, 1, SECONDS));
    const many = await countWhile(game, () => poll(ask, POLLERS, SECONDS));
    const figure = (what: string, of: (cost: Cost) => number) =>
      atMost(
        `${what} for ${POLLERS} viewers beside one`,
        rounded(of(many) / of(one)),
        "x",
        1.1,
        `${of(many)} against ${of(one)} within ${SECONDS} s`,
      );
    return [
      figure("transactions of the game's Postgres", ({ statements }) => statements),
      figure("commands of the game's Redis", ({ commands }) => commands),
    ];
  } finally {
    await product?.end({ forget: true });
    await game.end();
    await own.end();
    clearInterval(alive);
  }
}

async function signIn(product: Product): Promise<string> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs });
  try {
    const page = await signedInPage(browser, product);
    return (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  } finally {
    await browser.close();
  }
}

const askerOf = (url: string, cookie: string) => async (path: string) => {
  const answer = await fetch(url + path, { headers: { cookie } });
  const body = (await answer.json()) as { value?: unknown };
  if (answer.status !== 200 || body.value === undefined) throw new Error(`${path} answered ${answer.status}`);
};

/** So many tabs, which do not all begin at the same instant. */
async function poll(ask: (path: string) => Promise<void>, tabs: number, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  const tab = async (nth: number, [path, everyMs]: (typeof POLLS)[number]) => {
    await sleep((everyMs * nth) / tabs);
    while (performance.now() < end) {
      await ask(path);
      await sleep(everyMs);
    }
  };
  await Promise.all(Array.from({ length: tabs }, (_, nth) => POLLS.map((what) => tab(nth, what))).flat());
}

async function countWhile(game: GivenStores, work: () => Promise<void>): Promise<Cost> {
  const redis = new Redis(game.redisUrl);
  try {
    const before = { statements: await transactions(game.game), commands: await commands(redis) };
    await work();
    return {
      statements: (await transactions(game.game)) - before.statements,
      commands: (await commands(redis)) - before.commands,
    };
  } finally {
    redis.disconnect();
  }
}

/** A server's processes tell theirs once a second, and when they have been idle for some: waited for. */
async function transactions(db: pg.Pool): Promise<number> {
  await sleep(2_000);
  const { rows } = await db.query(
    "select (xact_commit + xact_rollback)::int as n from pg_stat_database where datname = current_database()",
  );
  return rows[0].n;
}

async function commands(redis: Redis): Promise<number> {
  const stats = await redis.info("commandstats");
  const counts = [...stats.matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm)];
  return counts.reduce((sum, [, , calls]) => sum + Number(calls), 0);
}
