import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { pickPort } from "./ports";
import { isAlive } from "./processes";
import { killHard, scratchState, serversIn, until } from "./scratch";
import { makeStateDir } from "./state-dir";

/**
 * The supervisor as `npm start` runs it, on real servers and a real schema; only the three programs are small ones
 * that say what happens to them, so that no test waits for a build of the desk.
 */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const scratch = scratchState();
const root = mkdtempSync(join(tmpdir(), "backstop-root-"));
const events = join(root, "events");
let port = 0;
let current: Run | undefined;

const TELL = `
import { appendFileSync, existsSync } from "node:fs";
const tell = (what) => appendFileSync(${JSON.stringify(events)}, name + " " + what + "\\n");
process.on("SIGTERM", () => {
  tell("asked to end");
  if (existsSync(${JSON.stringify(join(root, "stubborn"))})) return;
  setTimeout(() => { tell("ended"); process.exit(0); }, 100);
});
// Last: who reads the pid may ask it to end at once, and is heard.
tell("pid " + process.pid);
setInterval(() => {}, 1e6);
`;

beforeAll(async () => {
  port = await pickPort();
  // With the programs that the run has already, so that nothing is downloaded.
  makeStateDir(scratch.stateDir);
  cpSync(scratch.binDir, join(scratch.stateDir, "bin"), { recursive: true, verbatimSymlinks: true });
  for (const folder of ["node_modules/next/dist/bin", "lib/engine", "lib/keeper"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  symlinkSync(join(process.cwd(), "scripts"), join(root, "scripts"));
  const modules = join(process.cwd(), "node_modules");
  for (const name of readdirSync(modules).filter((entry) => entry !== "next" && !entry.startsWith("."))) {
    symlinkSync(join(modules, name), join(root, "node_modules", name));
  }
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  for (const name of ["engine", "keeper"])
    writeFileSync(join(root, `lib/${name}/main.ts`), `const name = "${name}";${TELL}`);
  writeFileSync(
    join(root, "node_modules/next/dist/bin/next"),
    `const name = "web";
if (process.argv[2] === "build") {
  require("node:fs").writeFileSync(".next/BUILD_ID", "x");
} else if (require("node:fs").existsSync("broken")) {
  console.error("Error: the web is broken");
  process.exit(3);
} else {
  require("node:http").createServer((_, res) => res.end("ok")).listen(Number(process.env.PORT), process.env.HOST);
  ${TELL.replace(/import (.*) from "(.*)";/, 'const $1 = require("$2");')}
}`,
  );
});
afterEach(async () => {
  if (current) await killHard(current.child);
  for (const name of ["stubborn", "broken"]) rmSync(join(root, name), { force: true });
});
afterAll(async () => {
  await scratch.remove();
  rmSync(root, { recursive: true, force: true });
});

type Run = { child: ChildProcess; output(): string; ended: Promise<number | null> };

function start(env: Record<string, string> = {}): Run {
  writeFileSync(events, "");
  const program = `import { run } from "./scripts/services/run.ts";
    process.exit(await run(${JSON.stringify(root)}, process.env, false));`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
    env: { ...process.env, BACKSTOP_STATE_DIR: scratch.stateDir, PORT: String(port), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  const ended = once(child, "exit").then(([code]) => code as number | null);
  current = { child, output: () => output, ended };
  return current;
}

const told = () => readFileSync(events, "utf8").trim().split("\n");
/** The newest process of a name. */
const pidOf = (name: string) =>
  Number(
    told()
      .findLast((line) => line.startsWith(`${name} pid `))
      ?.split(" ")[2],
  );
/** The web answers, and the other two have begun, too. */
const ready = (started: Run) =>
  until(
    "ready",
    () => started.output().includes("Ready: ") && ["engine", "keeper"].every((name) => pidOf(name) > 0),
    () => `${started.output()}\n${readFileSync(events, "utf8")}`,
  );

function nothingLeft(): void {
  for (const name of ["web", "engine", "keeper"]) expect([name, isAlive(pidOf(name))]).toEqual([name, false]);
  expect(serversIn(scratch.stateDir)).toEqual([]);
}

test("it comes up, starts what dies again and says so, and ends in order at one interrupt", async () => {
  const started = start();
  await ready(started);
  const [setup] = /^Set-up: (http:\S+\/setup#\S+)$/m.exec(started.output()) ?? [];
  expect(setup).toContain(`http://127.0.0.1:${port}/setup#`);
  const token = setup?.split("#")[1] ?? "";
  const logs = join(scratch.stateDir, "logs");
  for (const name of readdirSync(logs)) expect(readFileSync(join(logs, name), "utf8")).not.toContain(token);

  for (const name of ["web", "engine", "keeper"]) {
    const pid = pidOf(name);
    process.kill(pid, "SIGKILL");
    await until("said so", () => started.output().includes(`${name} ended (signal SIGKILL), started again\n`));
    await until("back", () => pidOf(name) !== pid && isAlive(pidOf(name)));
  }
  const from = told().length;
  // As npm and the terminal do it for one press: twice.
  started.child.kill("SIGINT");
  await sleep(50);
  started.child.kill("SIGINT");
  expect(await started.ended).toBe(0);
  const ending = told().slice(from);
  expect(ending.filter((line) => line.endsWith("asked to end"))).toHaveLength(3);
  expect(ending.indexOf("engine asked to end")).toBeGreaterThan(ending.indexOf("web ended"));
  expect(ending.indexOf("engine asked to end")).toBeGreaterThan(ending.indexOf("keeper ended"));
  nothingLeft();
});

test("the supervisor killed: its children end, the next start goes on with the servers; nothing stale is not rebuilt", async () => {
  const first = start();
  await ready(first);
  const children = ["web", "engine", "keeper"].map(pidOf);
  const servers = serversIn(scratch.stateDir);
  expect(servers).toHaveLength(2);
  await killHard(first.child);
  for (const pid of children) await until("a child has ended", () => !isAlive(pid));

  const second = start();
  await ready(second);
  expect(serversIn(scratch.stateDir)).toEqual(servers);
  expect(second.output()).not.toContain("Building");
  second.child.kill("SIGTERM");
  expect(await second.ended).toBe(0);
  nothingLeft();
});

test("a second interrupt ends what does not want to end", async () => {
  writeFileSync(join(root, "stubborn"), "");
  const started = start();
  await ready(started);
  started.child.kill("SIGINT");
  await sleep(1_000);
  expect(started.child.exitCode).toBeNull();
  started.child.kill("SIGINT");
  expect(await started.ended).toBe(130);
  for (const name of ["web", "engine", "keeper"]) await until(`${name} is gone`, () => !isAlive(pidOf(name)));
  await until("the servers are gone", () => serversIn(scratch.stateDir).length === 0);
});

test("a taken port: the next one, and said so; a second starter: one line and code 1", async () => {
  const stranger = createServer().listen(port, "127.0.0.1");
  await once(stranger, "listening");
  const started = start();
  await ready(started);
  expect(started.output()).toMatch(new RegExp(`^Port ${port} is taken: using \\d+\\.$`, "m"));
  stranger.close();

  const events = readFileSync(join(root, "events"), "utf8");
  const second = start();
  expect(await second.ended).toBe(1);
  expect(second.output().trim()).toMatch(
    new RegExp(`^Another Backstop \\(process ${started.child.pid}\\) is using .*$`),
  );
  writeFileSync(join(root, "events"), events);
  started.child.kill("SIGINT");
  expect(await started.ended).toBe(0);
  nothingLeft();
});

test("a web that does not come up: code 1, a line that says why, and nothing left", async () => {
  writeFileSync(join(root, "broken"), "");
  const started = start();
  expect(await started.ended).toBe(1);
  expect(started.output()).toContain("The web server does not come up (exit code 3: Error: the web is broken).");
  expect(serversIn(scratch.stateDir)).toEqual([]);
});
