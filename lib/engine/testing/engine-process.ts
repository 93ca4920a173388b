import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export type EngineProcess = {
  pid: number;
  /** The port of its routes, once it is ready; rejects when it ended before. */
  ready: Promise<number>;
  /** Resolves with the event's fields when it is logged. */
  event: (name: string) => Promise<Record<string, unknown>>;
  kill: (signal: NodeJS.Signals) => void;
  /** Exit code or signal. */
  ended: Promise<number | NodeJS.Signals | null>;
};

/** It ends with whoever started it, however that ends. */
const PROGRAM = ["--import", "tsx", "--import", "./scripts/services/end-with-parent.mjs", "lib/engine/main.ts"];

export type EngineProcessOptions = {
  /** Is told each line that it logs. */
  onEvent?: (fields: Record<string, unknown>) => void;
  /** Other arguments of `node` than those that run the engine from its sources. */
  program?: readonly string[];
};

/** The engine as a process of its own, with nothing in its environment but what it needs. */
export function startEngineProcess(
  env: Record<string, string>,
  { onEvent = () => {}, program = PROGRAM }: EngineProcessOptions = {},
): EngineProcess {
  const child: ChildProcess = spawn(process.execPath, program, {
    env: { NODE_ENV: "test", PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const seen: Record<string, unknown>[] = [];
  const errors: string[] = [];
  const waiting = new Set<(fields: Record<string, unknown> | null) => void>();
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once("close", (code, signal) => {
      resolve(code ?? signal);
      for (const tell of waiting) tell(null);
    }),
  );
  if (child.stderr) createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
  if (child.stdout) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const fields = line.startsWith("{") ? (JSON.parse(line) as Record<string, unknown>) : { event: "text", line };
      seen.push(fields);
      onEvent(fields);
      for (const tell of waiting) tell(fields);
    });
  }
  const event = (name: string) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const before = seen.find((fields) => fields.event === name);
      if (before) return resolve(before);
      const tell = (fields: Record<string, unknown> | null) => {
        if (fields === null) reject(new Error(`the engine ended before ${name}: ${errors.join(" ").slice(0, 500)}`));
        else if (fields.event === name) resolve(fields);
        else return;
        waiting.delete(tell);
      };
      waiting.add(tell);
    });
  const ready = event("engine_ready").then((fields) => Number(fields.port));
  ready.catch(() => {});
  return { pid: child.pid ?? 0, ready, event, kill: (signal) => child.kill(signal), ended };
}
