import { defineConfig } from "playwright/test";
import { chromiumArgs, chromiumPath } from "./scripts/testing/chromium";

export default defineConfig({
  testDir: "e2e",
  workers: 1,
  fullyParallel: false,
  // What passes only then is told by its name: docs/decisions/0006-a-second-run.md.
  retries: 1,
  timeout: 150_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  outputDir: "test-results",
  reporter: [["list"], ["json", { outputFile: process.env.BACKSTOP_E2E_REPORT ?? "test-results/report.json" }]],
  use: {
    viewport: { width: 1440, height: 900 },
    screenshot: "only-on-failure",
    launchOptions: { executablePath: chromiumPath(), args: chromiumArgs },
  },
});
