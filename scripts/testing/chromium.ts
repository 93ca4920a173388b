import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright";

/** Chromium without what it would look for on a network, and without what a container does not give it. */
export const chromiumArgs = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

function onPath(): string | null {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of NAMES) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {}
    }
  }
  return null;
}

/** A Chromium that is here already: named by PLAYWRIGHT_CHROMIUM, on the PATH, or playwright's own. */
function found(): string | null {
  const named = process.env.PLAYWRIGHT_CHROMIUM;
  if (named) {
    if (!existsSync(named)) throw new Error(`PLAYWRIGHT_CHROMIUM names ${named}, and there is no such file.`);
    return named;
  }
  const own = chromium.executablePath();
  return onPath() ?? (existsSync(own) ? own : null);
}

const quiet = (command: string, args: string[]) =>
  spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"], timeout: 300_000 }).status === 0;

/**
 * The Chromium for browser tests, found or installed: playwright's own download, else Debian's package where this is
 * root. Throws one message that names the ways out.
 */
export function chromiumPath(): string {
  const here = found();
  if (here) return here;
  quiet(process.execPath, ["node_modules/playwright/cli.js", "install", "chromium"]);
  if (!found() && process.getuid?.() === 0) {
    const wait = ["-o", "DPkg::Lock::Timeout=120"];
    quiet("apt-get", [...wait, "update"]);
    quiet("apt-get", [...wait, "install", "-y", "--no-install-recommends", "chromium"]);
  }
  const installed = found();
  if (installed) return installed;
  throw new Error("The browser tests need Chromium: install it, or name it in PLAYWRIGHT_CHROMIUM.");
}
