import { fileURLToPath } from "node:url";
import { planStart } from "./services/plan";
import { defaultStateDir } from "./services/state-dir";
import { stopSignals } from "./services/stop-signals";
import { Supervisor } from "./services/supervisor";
import { openTerminal } from "./services/terminal";

/**
 * `npm start`, and `npm run dev` with `--dev`: brings up the stores (unless given), web, engine and keeper, keeps them
 * up, and takes them all down again. Exit code 1 with one clear line when it cannot.
 */
const dev = process.argv.includes("--dev");
const planned = planStart(process.env);
if (!planned.ok) {
  console.error(planned.reason);
  process.exit(1);
}

const { asked, hard } = stopSignals();
const broken = new AbortController();
const supervisor = new Supervisor({
  root: fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, ""),
  stateDir: defaultStateDir(),
  plan: planned.plan,
  env: process.env,
  dev,
  terminal: openTerminal(dev),
  signal: AbortSignal.any([asked, broken.signal]),
});

hard.addEventListener("abort", () => {
  supervisor.kill();
  process.exit(130);
});
process.on("uncaughtException", (error) => {
  console.error("Backstop broke:", error);
  process.exitCode = 1;
  broken.abort();
});

try {
  await supervisor.up();
  await new Promise((resolve) => {
    if (asked.aborted || broken.signal.aborted) resolve(undefined);
    for (const signal of [asked, broken.signal]) signal.addEventListener("abort", resolve);
    // Without anything else to wait for, Node would end here.
    setInterval(() => {}, 60_000);
  });
} catch (error) {
  if (!asked.aborted && !broken.signal.aborted) {
    console.error((error as Error).message);
    process.exitCode = 1;
    broken.abort();
  }
}
await supervisor.down();
process.exit();
