import { checks } from "./steps/checks";
import { type Count, runBrowser, runVitest } from "./steps/suites";

/**
 * `npm test`: checks, then unit and store tests, then browser tests. Everything that they need is found or installed
 * and started by the suites themselves, in folders and on ports of their own. What failed is run once more; what passes
 * only then is told by its name (docs/decisions/0006-a-second-run.md). Ends with `N passed, N failed`.
 */
async function runChecks(): Promise<Count> {
  const { passed, failed } = await checks();
  return { passed: passed.length, failed: failed.length, unsteady: [] };
}

const total: Count = { passed: 0, failed: 0, unsteady: [] };
for (const suite of [runChecks, runVitest, runBrowser]) {
  const { passed, failed, unsteady } = await suite();
  total.passed += passed;
  total.failed += failed;
  total.unsteady.push(...unsteady);
}
for (const name of total.unsteady) console.log(`passed only in its second run: ${name}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
