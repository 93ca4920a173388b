import { parseOptions } from "./chaos/options";
import { runChaos } from "./chaos/run";
import { stopSignals } from "./services/stop-signals";

/** `npm run chaos`: everything that can kill the engine, its store and its connections, and a count of every piece of work. */
try {
  const options = parseOptions(process.argv.slice(2));
  const { asked, hard } = stopSignals();
  hard.addEventListener("abort", () => process.exit(130));
  process.exit(await runChaos(options, asked));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(2);
}
