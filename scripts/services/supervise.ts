import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "./server-process";

/** A server that is kept running: `current` is the one that runs now. */
export type Kept<S extends ServerProcess> = { current(): S; stop(): Promise<void> };

/**
 * Keeps a server running if asked to: one that ends is started again on the same port, and the log says so. Ends that
 * follow each other quickly are answered ever more slowly.
 */
export function keepServer<S extends ServerProcess>(options: {
  name: string;
  first: S;
  supervise: boolean;
  reopen(): Promise<S>;
  end(server: S): Promise<void>;
  log(line: string): void;
}): Kept<S> {
  let current = options.first;
  let stopping = false;
  let work: Promise<void> = Promise.resolve();

  async function restart(how: string): Promise<void> {
    options.log(`${options.name} ended (${how})`);
    for (let tries = 0; !stopping; tries++) {
      try {
        current = await options.reopen();
        options.log(`${options.name} started again`);
        return watch(current);
      } catch (error) {
        options.log(`${options.name} cannot be started again: ${(error as Error).message}`);
        await sleep(Math.min(1_000 * 2 ** tries, 30_000));
      }
    }
  }
  function watch(server: S): void {
    server.ended.then((how) => {
      if (!stopping) work = restart(how);
    });
  }
  if (options.supervise) watch(current);
  return {
    current: () => current,
    async stop() {
      stopping = true;
      await work;
      await options.end(current);
    },
  };
}
