import { defineConfig } from "playwright/test";
import { chromiumPath } from "./scripts/testing/chromium";

/** Chromium without what it would look for on a network, and without what a container does not give it. */
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

export default defineConfig({
  testDir: "e2e",
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: 150_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  outputDir: "test-results",
  reporter: [["list"], ["json", { outputFile: process.env.BACKSTOP_E2E_REPORT ?? "test-results/report.json" }]],
  use: {
    viewport: { width: 1440, height: 900 },
    screenshot: "only-on-failure",
    launchOptions: { executablePath: chromiumPath(), args: ARGS },
  },
});
