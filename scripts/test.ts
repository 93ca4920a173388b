import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checks } from "./steps/checks";
import { runNode } from "./steps/run";

/**
 * `npm test`: checks, then unit and store tests, then browser tests. Everything that they need is found or installed
 * and started by the suites themselves, in folders and on ports of their own. Ends with `N passed, N failed`.
 */
type Count = { passed: number; failed: number };

const reports = mkdtempSync(join(tmpdir(), "backstop-test-"));
const report = <T>(name: string): T | null => {
  const file = join(reports, name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T) : null;
};
/** A suite that could not even be loaded ends with a code and no failed test: it must count. */
const orOne = (failed: number, code: number) => Math.max(failed, code === 0 ? 0 : 1);

async function runChecks(): Promise<Count> {
  const { passed, failed } = await checks();
  return { passed: passed.length, failed: failed.length };
}

async function runVitest(): Promise<Count> {
  const file = join(reports, "vitest.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile=${file}`];
  const code = await runNode("node_modules/vitest/vitest.mjs", args);
  const told = report<{ numPassedTests: number; numFailedTests: number }>("vitest.json");
  return { passed: told?.numPassedTests ?? 0, failed: orOne(told?.numFailedTests ?? 1, code) };
}

async function runBrowser(): Promise<Count> {
  // Once, before any test's clock runs: each product that they start finds it built.
  if ((await runNode("scripts/build.ts", [], process.env, ["--import", "tsx"])) !== 0) return { passed: 0, failed: 1 };
  const env = { ...process.env, BACKSTOP_E2E_REPORT: join(reports, "e2e.json") };
  const code = await runNode("node_modules/playwright/cli.js", ["test"], env);
  const told = report<{ stats: { expected: number; unexpected: number; flaky: number } }>("e2e.json")?.stats;
  return { passed: told?.expected ?? 0, failed: orOne((told?.unexpected ?? 1) + (told?.flaky ?? 0), code) };
}

const total: Count = { passed: 0, failed: 0 };
for (const suite of [runChecks, runVitest, runBrowser]) {
  const { passed, failed } = await suite();
  total.passed += passed;
  total.failed += failed;
}
rmSync(reports, { recursive: true, force: true });
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
