import { planStart } from "./plan";
import { defaultStateDir } from "./state-dir";
import { stopSignals } from "./stop-signals";
import { Supervisor } from "./supervisor";
import { openTerminal } from "./terminal";

/**
 * Brings everything up, keeps it up until a signal asks for the end, and takes it down. Answers the exit code; where
 * it cannot start, one clear line has been printed.
 */
export async function run(root: string, env: NodeJS.ProcessEnv, dev: boolean): Promise<number> {
  const planned = planStart(env);
  if (!planned.ok) {
    console.error(planned.reason);
    return 1;
  }
  const { asked, hard } = stopSignals();
  const broken = new AbortController();
  const signal = AbortSignal.any([asked, broken.signal]);
  const terminal = openTerminal(dev);
  const supervisor = new Supervisor({
    root,
    stateDir: defaultStateDir(env),
    plan: planned.plan,
    env,
    dev,
    terminal,
    signal,
  });
  hard.addEventListener("abort", () => {
    supervisor.kill();
    process.exit(130);
  });
  let code = 0;
  const breakDown = (error: unknown) => {
    if (signal.aborted) return;
    console.error(error instanceof Error ? error.message : String(error));
    code = 1;
    broken.abort();
  };
  process.on("uncaughtException", breakDown);
  try {
    await supervisor.up();
    await aborted(signal);
  } catch (error) {
    breakDown(error);
  }
  await supervisor.down();
  return code;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    // Without anything else to wait for, Node would end here.
    const alive = setInterval(() => {}, 60_000);
    signal.addEventListener("abort", () => {
      clearInterval(alive);
      resolve();
    });
  });
}
