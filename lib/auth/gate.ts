/** Too many were waiting already. */
export class GateFull extends Error {}

export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Lets `concurrent` pieces of work run at once and `waiting` more stand in line; beyond that it throws `GateFull` at
 * once, so that a flood costs neither memory nor time.
 */
export function createGate({ concurrent, waiting }: { concurrent: number; waiting: number }): Gate {
  let running = 0;
  const line: (() => void)[] = [];
  return async (work) => {
    if (running >= concurrent) {
      if (line.length >= waiting) throw new GateFull();
      // The one who leaves hands its place on, so `running` does not change here.
      await new Promise<void>((resolve) => line.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
