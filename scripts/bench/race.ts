import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/**
 * Starts `count` processes of a program, lets them all go at once, and answers the ms until they have settled `jobs`
 * rows together, as their `claim_settled` lines say: nobody asks the store meanwhile.
 */
export async function race(program: string, url: string, count: number, jobs: number): Promise<number> {
  const children = Array.from({ length: count }, () => startChild(program, url));
  try {
    await Promise.all(children.map(({ ready }) => ready));
    const settled = untilSettled(children, jobs);
    const since = performance.now();
    for (const { child } of children) child.stdin?.write("go\n");
    await settled;
    return performance.now() - since;
  } finally {
    await Promise.all(children.map(({ child }) => end(child)));
  }
}

type Started = { child: ChildProcess; ready: Promise<void>; onLine: (tell: (event: Event) => void) => void };
type Event = { event: string; done?: number };

function startChild(program: string, url: string): Started {
  const child = spawn(process.execPath, ["--import", "tsx", `scripts/bench/${program}`], {
    env: { NODE_ENV: "production", PATH: process.env.PATH, BACKSTOP_ENGINE_DATABASE_URL: url },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const tellers = new Set<(event: Event) => void>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    const event = JSON.parse(line) as Event;
    for (const tell of tellers) tell(event);
  });
  const ready = new Promise<void>((resolve, reject) => {
    tellers.add(({ event }) => event === "ready" && resolve());
    child.once("exit", (code) => reject(new Error(`${program} ended with ${code}`)));
  });
  return { child, ready, onLine: (tell) => tellers.add(tell) };
}

function untilSettled(children: readonly Started[], jobs: number): Promise<void> {
  let done = 0;
  return new Promise((resolve, reject) => {
    for (const { child, onLine } of children) {
      child.once("exit", (code) => reject(new Error(`a racer ended with ${code}`)));
      onLine((line) => {
        if (line.event === "claim_settled") done += line.done ?? 0;
        if (done >= jobs) resolve();
      });
    }
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
