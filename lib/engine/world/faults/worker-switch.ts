import type { Worker } from "@/lib/engine/persistence-retry/worker";

/** A retry worker that can be stopped and started again. */
export type WorkerSwitch = {
  set(on: boolean): Promise<void>;
};

/** Starts off. `start` gives a new worker each time; stopping one waits until it has given its rows back. */
export function workerSwitch(start: () => Worker): WorkerSwitch {
  let worker: Worker | null = null;
  return {
    async set(on) {
      if (on) {
        worker ??= start();
        return;
      }
      const stopping = worker;
      worker = null;
      await stopping?.stop();
    },
  };
}
