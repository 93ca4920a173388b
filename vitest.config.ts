import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));
const folders = ["lib", "scripts", "components", "app"];

export default defineConfig({
  resolve: { alias: { "@": root.replace(/\/$/, ""), "server-only": `${root}node_modules/server-only/empty.js` } },
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // One a row of the audit: they are for a log, not for who watches tests.
    onConsoleLog: (log) => (log.includes('"event":"audit_head"') ? false : undefined),
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: folders.map((folder) => `${folder}/**/*.test.ts`),
          exclude: ["**/node_modules/**", "**/*.store.test.ts"],
        },
      },
      // Real servers, started once for the whole project and only when one of its files runs.
      {
        extends: true,
        test: {
          name: "store",
          include: folders.map((folder) => `${folder}/**/*.store.test.ts`),
          globalSetup: ["scripts/testing/global-setup.ts"],
        },
      },
    ],
  },
});
