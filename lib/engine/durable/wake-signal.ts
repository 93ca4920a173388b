import { setTimeout as sleep } from "node:timers/promises";

export type Offered = "signaled" | "queue_full" | "queue_closed";

/**
 * A bounded queue in memory that wakes a worker for work that is already durable. Losing all of it loses nothing:
 * polling finds the rows.
 */
export class WakeSignal {
  private readonly ids = new Set<string>();
  private closed = false;
  private wake = new AbortController();

  /** @param capacity ids that may wait here; one that waits already takes no second place */
  constructor(private readonly capacity: number) {}

  offer(id: string): Offered {
    if (this.closed) return "queue_closed";
    if (this.ids.size >= this.capacity && !this.ids.has(id)) return "queue_full";
    this.ids.add(id);
    this.wake.abort();
    return "signaled";
  }

  /** Takes up to `max` ids, the oldest first. */
  drain(max: number): string[] {
    const taken = [...this.ids].slice(0, max);
    for (const id of taken) this.ids.delete(id);
    return taken;
  }

  /** Answers once there is an id, or it is closed, or after `timeoutMs`. */
  async wait(timeoutMs: number): Promise<void> {
    if (this.ids.size > 0 || this.closed) return;
    this.wake = new AbortController();
    await sleep(timeoutMs, undefined, { signal: this.wake.signal }).catch(() => {});
  }

  /** Takes offers again: another worker has begun. */
  open(): void {
    this.closed = false;
  }

  /** From now on every offer is refused. */
  close(): void {
    this.closed = true;
    this.wake.abort();
  }
}
