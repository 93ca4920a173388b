import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "playwright/test";
import { withClient } from "@/scripts/services/prepare-database";
import { startEngine, type TestEngine } from "@/scripts/testing/engine";
import { makeJob, makeLetter } from "@/scripts/testing/game";
import { type GivenStores, startGivenStores } from "@/scripts/testing/given-stores";
import { type Product, startProduct } from "@/scripts/testing/product";
import { redisCommands, type Snapshot, snapshotRedis } from "@/scripts/testing/store-snapshot";
import { preflight, requeueButton, setUp, signIn } from "./pages/desk";
import { cellOf, commandsUnder, deskEnv, gaps, outcome } from "./pages/given";
import { test } from "./pages/test";

// Somebody's Postgres with the seed's two tables alone, an empty Redis, and a game server with the seed's two routes.
test.describe.configure({ mode: "serial" });

const CHARACTER = "5f0c2d6e-0000-0000-0000-00000000c0de";
let given: GivenStores;
let engine: TestEngine;
let desk: Product;
let stateDir: string;
let before: Snapshot;
const letters: Record<"dead" | "elsewhere" | "meanwhile" | "garbled", string> = {} as typeof letters;

test.beforeAll(async () => {
  // The first start may have to build the desk.
  test.setTimeout(300_000);
  given = await startGivenStores();
  engine = await startEngine(given.engine, { BACKSTOP_ENGINE_ROUTES: "seed" });
  const work = { characterId: CHARACTER };
  for (const name of ["elsewhere", "dead", "meanwhile"] as const)
    letters[name] = (await makeLetter(given.game, { characterId: crypto.randomUUID() })).letterId;
  letters.garbled = (await makeLetter(given.game, { ...work, payload: "not json at all" })).letterId;
  for (const state of ["due", "retrying", "leased", "expired"] as const) await makeJob(given.game, state, work);
  // A worker that is busy for as long as this takes.
  await given.game.query(
    "update persistence_retry_jobs set lease_expires_at = lease_expires_at + interval '1 hour' where lease_expires_at > now()",
  );
  // By somebody with the game's own tools, before there was a desk.
  const asked = await engine
    .client()
    .requeueOne(letters.elsewhere, { operationId: crypto.randomUUID(), actor: "tool" });
  expect(asked).toMatchObject({ kind: "ok", value: { requeued: true } });

  before = await given.snapshot();
  await redisCommands(given.redisUrl).forget();
  stateDir = join(mkdtempSync(join(tmpdir(), "backstop-e2e-")), "state");
  desk = await startProduct({ stateDir, env: deskEnv(given, engine) });
});
test.afterAll(async () => {
  await desk?.end();
  await engine?.end();
  await given?.end();
  if (stateDir) rmSync(join(stateDir, ".."), { recursive: true, force: true });
});

test("the desk starts on them alone: no engine, no demo, no store of its own", async ({ page }) => {
  await setUp(page, desk);
  const commands = commandsUnder(desk.child.pid ?? 0);
  expect(commands.filter((command) => /lib\/keeper\/main/.test(command))).toHaveLength(1);
  expect(commands.filter((command) => /^next-server/.test(command)).length).toBeGreaterThan(0);
  expect(commands.filter((command) => /lib\/engine|postgres|redis/.test(command))).toEqual([]);
  expect(existsSync(stateDir)).toBe(false);
  await expect(page.getByRole("button", { name: /^(Break|Mend)/ })).toHaveCount(0);
});

test("the Overview counts what is there and says once what cannot be shown", async ({ page }) => {
  await signIn(page, desk);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("3 dead letters");
  for (const [head, count] of Object.entries({ Due: "2", Retrying: "1", "In flight": "1", Expired: "1", Dead: "3" }))
    expect(await cellOf(page, "persistence-retry", head), head).toBe(count);
  for (const head of ["Due", "In flight", "Dead"])
    expect(await cellOf(page, "session-lifecycle", head), head).toBe("0");
  for (const sentence of [
    "No outcomes are kept: a requeued letter is followed until its job is gone, not until it is proved.",
    "No attempts are kept: the timeline shows lives, not each try.",
    "Source and session impact have no columns: they are read from the payload, on a letter's own page only.",
    /It is not append-only here: .* Give BACKSTOP_MIGRATE_URL a role that owns the schema\./,
    /The Redis user may write lists, write keys, delete keys, .* The desk only reads the game's Redis\./,
  ])
    await expect(gaps(page).getByText(sentence)).toHaveCount(1);
});

test("the lists show every row, and a letter that was requeued outside the desk as such", async ({ page }) => {
  await signIn(page, desk);
  await page.goto(`${desk.url}/retries`);
  for (const state of ["Due", "Retrying", "Leased", "Lease expired"])
    await expect(page.getByRole("row").filter({ hasText: state }).first()).toBeVisible();
  // The archive follows a second or two behind.
  await expect(async () => {
    await page.goto(`${desk.url}/dead-letters?state=all&view=list`);
    for (const id of Object.values(letters))
      await expect(page.locator(`a[href$="${id}"]`)).toHaveCount(1, { timeout: 500 });
    await expect(page.getByRole("row").filter({ hasText: "Requeued elsewhere" })).toHaveCount(1, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
  await page.goto(`${desk.url}/dead-letters?view=list`);
  await expect(page.locator(`a[href$="${letters.elsewhere}"]`)).toHaveCount(0);

  await page.goto(`${desk.url}/dead-letters/persistence-retry/${letters.elsewhere}`);
  await expect(outcome(page)).toContainText("Requeued outside this desk. Its job still waits or is being worked.");
  await expect(requeueButton(page)).toHaveCount(0);
  await page.goto(`${desk.url}/dead-letters/persistence-retry/${letters.garbled}`);
  await expect(preflight(page).getByText("The payload cannot be decoded")).toBeVisible();
  await expect(requeueButton(page)).toHaveCount(0);
});

test("a letter goes back only after its one warning was acknowledged with a reason, and nothing else was written", async ({
  page,
}) => {
  await signIn(page, desk);
  await page.goto(`${desk.url}/dead-letters/persistence-retry/${letters.dead}`);
  const panel = preflight(page);
  await expect(panel.getByText("This game server gives no facts")).toBeVisible();
  await expect(panel.getByText("The game server answers, with the seed's routes only")).toBeVisible();
  await expect(page.getByText("what applying would do cannot be told from here")).toBeVisible();
  await expect(page.getByText(/redacted, \d+ bytes/).first()).toBeVisible();

  await expect(requeueButton(page)).toHaveAttribute("aria-disabled", "true");
  await expect(
    panel
      .getByText("Still needed: acknowledge 1 warning, give a reason of at least 10 characters, spaces not counted.")
      .first(),
  ).toBeVisible();
  await requeueButton(page).click({ force: true });
  const refused = await given.snapshot();
  expect(refused).toEqual(withNonces(before, refused));
  await page.getByLabel("I checked the character's present state outside this desk.").check();
  await page.getByLabel("Reason").fill("The catalog was restored at noon.");
  await requeueButton(page).click();
  await expect(outcome(page)).toContainText("Requeued. Awaiting its outcome.");

  const after = await given.snapshot();
  const jobs = "rows public.persistence_retry_jobs";
  const dead = "rows public.persistence_job_dead_letters";
  expect(after).toEqual({ ...withNonces(before, after), [jobs]: after[jobs], [dead]: after[dead] });
  expect([before[jobs]?.split(" ")[0], after[jobs]?.split(" ")[0]]).toEqual(["5", "6"]);
  expect(await theRequeue(letters.dead)).toMatchObject({ stamped: 2, jobs: 1, attempts: 0, samePayload: true });
});

test("the job leaves the queue without a trace: left, not proved, and never recovered", async ({ page }) => {
  const { jobId } = await theRequeue(letters.dead);
  await signIn(page, desk);
  await page.goto(`${desk.url}/dead-letters/persistence-retry/${letters.dead}`);
  await expect(outcome(page)).toContainText("Requeued. Awaiting its outcome.");
  // What the game server's own worker does when it has applied it.
  await given.game.query("delete from persistence_retry_jobs where retry_job_id = $1", [jobId]);
  await expect(outcome(page)).toContainText("Left, not proved");
  await expect(outcome(page)).toContainText("This game server keeps no outcome, so what became of it is not proved.");
  await expect(async () => {
    await page.goto(`${desk.url}/dead-letters?state=left_unproved&view=list`);
    await expect(page.getByRole("row").filter({ hasText: "Left, not proved" })).toHaveCount(1, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
  await page.goto(`${desk.url}/dead-letters?state=recovered&view=list`);
  // The bars' mark of its requeue leads to it; no row does.
  await expect(page.locator(`tr[data-row] a[href$="${letters.dead}"]`)).toHaveCount(0);
});

test("somebody else was faster: the click sends nothing and says so", async ({ page }) => {
  await signIn(page, desk);
  await page.goto(`${desk.url}/dead-letters/persistence-retry/${letters.meanwhile}`);
  await page.getByLabel("I checked the character's present state outside this desk.").check();
  await page.getByLabel("Reason").fill("The catalog was restored at noon.");
  await engine.client().requeueOne(letters.meanwhile, { operationId: crypto.randomUUID(), actor: "tool" });
  await requeueButton(page).click();
  await expect(page.getByText("Nothing was requeued by this click: another was faster.")).toBeVisible();
  await expect(outcome(page)).toContainText("Requeued outside this desk.");
  expect(await theRequeue(letters.meanwhile)).toMatchObject({ jobs: 1 });
});

test("the Postgres of both is stopped and started again: the page says so, and goes on by itself", async ({ page }) => {
  await signIn(page, desk);
  const status = page.getByRole("heading", { level: 1 });
  await expect(status).toContainText("dead letter");
  await given.postgres.stop();
  await expect(page.getByText(/Data is \d+ s old\./)).toBeVisible({ timeout: 20_000 });
  await given.postgres.start();
  await expect(page.getByText(/Data is \d+ s old\./)).toHaveCount(0, { timeout: 20_000 });
  await page.reload();
  await expect(status).toContainText("dead letter");
  expect(desk.output()).not.toMatch(/^(web|keeper) ended/m);
});

test("the reading role loses its rights: letters may wait unseen, so nothing is said to be calm", async ({ page }) => {
  await signIn(page, desk);
  const both = "persistence_retry_jobs, persistence_job_dead_letters";
  await given.game.query(`revoke select on ${both} from desk_read`);
  const status = page.getByRole("heading", { level: 1 });
  await expect(status).toContainText(/The reading role .*: persistence-retry cannot be read\./);
  await expect(status).not.toContainText("Nothing waits for a decision");
  // What died before that is in the archive still.
  await page.goto(`${desk.url}/dead-letters?state=all&view=list`);
  await expect(page.locator(`a[href$="${letters.elsewhere}"]`)).toHaveCount(1);
  await given.game.query(`grant select on ${both} to desk_read`);
});

test("Redis was read, and nothing was put into it", async () => {
  expect(await snapshotRedis(given.redisUrl)).toEqual({});
  const harmless = [
    "auth",
    "client|setname",
    "client|setinfo",
    "config|resetstat",
    "hkeys",
    "hlen",
    "hmget",
    "info",
    "lindex",
    "llen",
    "lrange",
    // Begun to be told what the user may do, and never executed.
    "multi",
    "ping",
    "scan",
    "select",
    "time",
  ];
  expect((await redisCommands(given.redisUrl).seen()).filter((command) => !harmless.includes(command))).toEqual([]);
});

test("a schema that is newer than the code is refused at the start, in one line", async () => {
  await desk.end();
  await withClient(given.postgresUrl("desk_own"), (client) =>
    client.query("insert into backstop.migrations (name, run_on) values ('9999_of_tomorrow', now())"),
  );
  await expect(startProduct({ stateDir, env: deskEnv(given, engine) })).rejects.toThrow(
    /ended with 1\n[\s\S]*The schema "backstop" is newer than this version of Backstop \(it has 9999_of_tomorrow\)\. Start the newer version, or restore/,
  );
});

/** The game server remembers each signature that it accepted: those rows are its own. */
function withNonces(snapshot: Snapshot, now: Snapshot): Snapshot {
  const nonces = "rows public.internal_rpc_nonces";
  return { ...snapshot, [nonces]: now[nonces] ?? "" };
}

async function theRequeue(letterId: string) {
  const { rows } = await given.game.query(
    `select (select count(*)::int from persistence_job_dead_letters where requeued_at is not null) as stamped,
       count(j.*)::int as jobs, min(j.attempt_count) as attempts, bool_and(j.payload = l.payload) as "samePayload",
       min(j.retry_job_id::text) as "jobId"
     from persistence_job_dead_letters l left join persistence_retry_jobs j on j.retry_job_id = l.requeued_retry_job_id
     where l.dead_letter_id = $1`,
    [letterId],
  );
  return rows[0] as { stamped: number; jobs: number; attempts: number; samePayload: boolean; jobId: string };
}
