import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "./server-process";

/** A server that is kept running: `current` is the one that runs now. */
export type Kept<S extends ServerProcess> = { current(): S; stop(): Promise<void>; kill(signal: NodeJS.Signals): void };

const WAIT_MAX_MS = 30_000;

/**
 * Keeps a server running if asked to: one that ends is started again on the same port, and the log says so in one
 * line. While it cannot be started, it is tried ever more slowly.
 */
export function keepServer<S extends ServerProcess>(options: {
  name: string;
  first: S;
  supervise: boolean;
  reopen(): Promise<S>;
  end(server: S): Promise<void>;
  /** Called for the first one and for each that is started later. */
  onStart?(server: S): void;
  log?(line: string): void;
}): Kept<S> {
  const { name, log = () => {} } = options;
  const stopped = new AbortController();
  let current = options.first;
  let restarting: Promise<void> = Promise.resolve();

  async function restart(how: string | null): Promise<void> {
    const ended = how ? `${name} ended (${how})` : `${name} ended`;
    for (let tries = 0; !stopped.signal.aborted; tries++) {
      try {
        current = await options.reopen();
        options.onStart?.(current);
        log(`${ended}, started again`);
        return watch(current);
      } catch (error) {
        log(`${ended} and cannot be started again: ${(error as Error).message}`);
        await sleep(Math.min(1_000 * 2 ** tries, WAIT_MAX_MS), undefined, stopped).catch(() => {});
      }
    }
  }
  function watch(server: S): void {
    server.ended.then((how) => {
      if (!stopped.signal.aborted) restarting = restart(how);
    });
  }
  options.onStart?.(current);
  if (options.supervise) watch(current);
  return {
    current: () => current,
    async stop() {
      stopped.abort();
      await restarting;
      await options.end(current);
    },
    kill(signal) {
      stopped.abort();
      try {
        if (!current.hasEnded()) process.kill(current.pid, signal);
      } catch {
        // It ended in between.
      }
    },
  };
}
