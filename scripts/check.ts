import { checks } from "./steps/checks";
import { runNode } from "./steps/run";

/** `npm run check`: what an editor would tell you, and the unit tests. Under 30 s; needs no store. */
const { failed } = await checks();
const unit = await runNode("node_modules/vitest/vitest.mjs", ["run", "--exclude", "**/*.store.test.ts"]);
if (unit !== 0) failed.push("unit tests");
if (failed.length > 0) {
  console.error(`failed: ${failed.join(", ")}`);
  process.exit(1);
}
