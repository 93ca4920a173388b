import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, expect, test } from "vitest";
import { Child } from "./child";
import { isAlive } from "./processes";
import { killHard, until } from "./scratch";

const folder = mkdtempSync(join(tmpdir(), "backstop-child-"));
afterAll(() => rmSync(folder, { recursive: true }));

let child: Child | undefined;
afterEach(() => child?.stop());

const PRELOAD = ["--import", join(import.meta.dirname, "end-with-parent.mjs")];

/** A program that prints its own id and that of a process it has started. */
function program(name: string, text: string): string {
  const file = join(folder, `${name}.mjs`);
  const start = `import { spawn } from "node:child_process";
    const helper = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "inherit" });
    console.log(process.pid + " " + helper.pid); setInterval(() => {}, 1e6);`;
  writeFileSync(file, `${text}\n${start}`);
  return file;
}

function keep(file: string, graceMs: number): { pids: number[][]; lines: string[] } {
  const seen = { pids: [] as number[][], lines: [] as string[] };
  child = new Child({
    name: "worker",
    args: () => [...PRELOAD, file],
    env: () => process.env,
    cwd: folder,
    graceMs,
    onLine: (line) => seen.pids.push(line.split(" ").map(Number)),
    log: (line) => seen.lines.push(line),
  });
  child.start();
  return seen;
}

test("a child that is killed is started again, with one line, and what it had started is gone", async () => {
  const seen = keep(program("plain", ""), 1_000);
  await until("first start", () => seen.pids.length === 1);
  const [pid = 0, helper = 0] = seen.pids[0] ?? [];
  process.kill(pid, "SIGKILL");
  await until("second start", () => seen.pids.length === 2);
  expect(seen.lines).toEqual(["worker ended (signal SIGKILL), started again"]);
  await until("the helper is gone", () => !isAlive(helper));
  const [second = 0] = seen.pids[1] ?? [];
  await child?.stop();
  expect(isAlive(second)).toBe(false);
  expect(seen.lines).toHaveLength(1);
});

test("one that ignores SIGTERM is ended when its time is over", async () => {
  const seen = keep(program("stubborn", 'process.on("SIGTERM", () => {});'), 300);
  await until("started", () => seen.pids.length === 1);
  const startedAt = Date.now();
  await child?.stop();
  expect(Date.now() - startedAt).toBeGreaterThan(250);
  for (const pid of seen.pids.flat()) await until("gone", () => !isAlive(pid));
});

test("a child ends by itself, gracefully, when its supervisor is killed", async () => {
  const file = program("orphan", 'process.on("SIGTERM", () => process.exit(0));');
  const supervisor: ChildProcess = spawn(
    process.execPath,
    [
      "-e",
      `const child = require("node:child_process").spawn(process.execPath, ${JSON.stringify([...PRELOAD, file])},
        { stdio: ["pipe", "inherit", "inherit"], detached: true }); setInterval(() => {}, 1e6);`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const lines = createInterface({ input: supervisor.stdout as NodeJS.ReadableStream });
  const [pid = 0, helper = 0] = await new Promise<number[]>((resolve) =>
    lines.once("line", (line) => resolve(line.split(" ").map(Number))),
  );
  await killHard(supervisor);
  await until("the child is gone", () => !isAlive(pid));
  process.kill(helper, "SIGKILL");
});
