import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checks } from "./steps/checks";
import { runNode } from "./steps/run";

/**
 * `npm test`: checks, then the unit and store tests. The services that they need are started by
 * the suites themselves, in folders of their own. Ends with `N passed, N failed`.
 */
const reports = mkdtempSync(join(tmpdir(), "backstop-test-"));
const vitestReport = join(reports, "vitest.json");

const { passed, failed } = await checks();
const totals = { passed: passed.length, failed: failed.length };

const vitestCode = await runNode("node_modules/vitest/vitest.mjs", [
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile=${vitestReport}`,
]);
const vitest = JSON.parse(readFileSync(vitestReport, "utf8")) as { numPassedTests: number; numFailedTests: number };
totals.passed += vitest.numPassedTests;
// A suite that could not even be loaded fails the run without a failed test: it must count.
totals.failed += Math.max(vitest.numFailedTests, vitestCode === 0 ? 0 : 1);

rmSync(reports, { recursive: true, force: true });
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);
