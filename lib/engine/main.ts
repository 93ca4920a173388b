import { engineConfig } from "@/lib/config-engine";
import { log } from "./log";
import { startEngine } from "./start";

/** The engine as a process of its own. Ends with code 1 and one clear line when it cannot start. */
const STOP_WITHIN_MS = 9_500;

async function main(): Promise<void> {
  const starting = startEngine(engineConfig());
  let stopping = false;
  const stop = (why: string) => {
    if (stopping) return;
    stopping = true;
    log("engine_stopping", { why });
    // What is not done by then is left to its lease.
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    starting
      .then((engine) => engine.stop())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  // Before it is ready: its worker may hold leases by then.
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
  const engine = await starting;
  log("engine_ready", { port: engine.port });
}

function die(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

process.on("uncaughtException", die);
process.on("unhandledRejection", die);
main().catch(die);
