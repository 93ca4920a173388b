import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import type { Child } from "./child";

/** Quiet time after the last change: editors write a file in several steps. */
const SETTLE_MS = 150;

/**
 * Development only: starts the keeper and the engine again when a source under `lib/` changes, gracefully, so that
 * claims are given back. The web has its own way. Answers the function that ends it.
 */
export function reloadOnChange(
  root: string,
  children: { engine?: Child; keeper?: Child },
  log: (line: string) => void,
) {
  let timer: NodeJS.Timeout | undefined;
  let busy: Promise<unknown> = Promise.resolve();
  const restart = (file: string) => {
    log(`${file} changed: starting engine and keeper again`);
    busy = busy.then(() => Promise.all([children.engine?.restart(), children.keeper?.restart()]));
  };
  const watcher: FSWatcher = watch(join(root, "lib"), { recursive: true }, (_event, file) => {
    if (!file || !/\.(ts|sql|lua)$/.test(file) || file.includes(".test.")) return;
    clearTimeout(timer);
    timer = setTimeout(() => restart(`lib/${file}`), SETTLE_MS);
  });
  watcher.on("error", (error) => log(`Live reload of engine and keeper is off: ${error.message}`));
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}
