import pg from "pg";
import { runModel } from "@/lib/engine/testing/model/run-model";

/**
 * The model as a process of its own: the engine's functions log to its standard output, which nobody reads. Argument:
 * `{url, runs, commands, seed}` as JSON. Says on its standard error how far it is, and what failed.
 */
const { url, ...options } = JSON.parse(process.argv[2] ?? "{}") as {
  url: string;
  runs: number;
  commands: number;
  seed: number;
};
const pool = new pg.Pool({ connectionString: url, max: 4 });
let [runs, commands] = [0, 0];
try {
  await runModel(pool, {
    ...options,
    onRun: (length) => {
      runs += 1;
      commands += length;
      if (runs % 100 === 0) console.error(`model: ${runs} runs, ${commands} commands`);
    },
  });
  console.error(`model: ${runs} runs, ${commands} commands, all as they must be`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await pool.end();
}
