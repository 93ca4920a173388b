import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type Chaos, goOn } from "@/scripts/chaos/chaos";
import { count, violated } from "@/scripts/chaos/tally";

const COMMANDS = 50;
const DATABASES = ["model_a", "model_b"];

/** The model's runs, half of them in each of two processes. */
export async function model(chaos: Chaos, runs: number): Promise<void> {
  if (runs === 0) return;
  await Promise.all(
    DATABASES.map((database, index) =>
      runHalf(chaos, database, index === 0 ? Math.ceil(runs / 2) : Math.floor(runs / 2)),
    ),
  );
}

async function runHalf(chaos: Chaos, database: string, runs: number): Promise<void> {
  const { postgres, tally, random, signal, say } = chaos;
  if (runs === 0) return;
  const seed = random.int(1, 2 ** 31);
  await postgres.newDatabase(database);
  const given = { url: postgres.url("engine", { database }), runs, commands: COMMANDS, seed };
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/chaos/model-main.ts", JSON.stringify(given)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stop = () => child.kill("SIGKILL");
  signal.addEventListener("abort", stop);
  const said: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    said.push(line);
    if (line.startsWith("model:")) say(`${line} (seed ${seed})`);
  });
  const [code] = await once(child, "close");
  signal.removeEventListener("abort", stop);
  goOn(chaos);
  const told = /^model: (\d+) runs, (\d+) commands, all/.exec(said.at(-1) ?? "");
  count(tally, "model runs", Number(told?.[1] ?? 0));
  count(tally, "model commands", Number(told?.[2] ?? 0));
  if (code !== 0 || !told) violated(tally, `model, seed ${seed}: ${said.join("\n").slice(0, 4_000)}`);
}
