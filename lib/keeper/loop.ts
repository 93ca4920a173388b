import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { maskedLine } from "@/lib/queues/log-line";
import { takeDuty } from "./duty";

export type Duty = {
  name: string;
  everyMs: number;
  /**
   * What is done each time, by whichever keeper holds the duty. Throws when a source is away: it is tried again.
   * Answers `AGAIN` where it stopped for the others' sake and has more to do, or a `Pause` where it knows better than
   * `everyMs` when it is due next.
   */
  run(): Promise<unknown>;
};

export const AGAIN = Symbol("again");

/** How long until a duty is due again, ms. */
export class Pause {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }
}

const BACK_OFF_MAX_MS = 30_000;

/**
 * Does one duty for ever, while this keeper holds it, until `signal` ends it. A failure backs off and is logged once
 * for each change of its message, so that a store that is away for an hour does not fill a disk.
 */
export async function keep(own: Pool, holder: string, duty: Duty, signal: AbortSignal): Promise<void> {
  let failures = 0;
  let said = "";
  // The lease outlives one run and one pause; a run that takes longer than that is taken over, and every duty stands that.
  const leaseMs = Math.max(15_000, duty.everyMs * 3);
  while (!signal.aborted) {
    let answer: unknown = null;
    try {
      if (await takeDuty(own, duty.name, holder, leaseMs)) answer = await duty.run();
      if (failures > 0) log({ event: "duty_back", duty: duty.name });
      failures = 0;
      said = "";
    } catch (error) {
      failures += 1;
      const message = error instanceof Error ? error.message : String(error);
      if (message !== said) log({ event: "duty_failed", duty: duty.name, error: message });
      said = message;
    }
    if (answer === AGAIN) continue;
    const everyMs = answer instanceof Pause ? Math.max(0, answer.ms) : duty.everyMs;
    const pauseMs = failures === 0 ? everyMs : Math.min(duty.everyMs * 2 ** failures, BACK_OFF_MAX_MS);
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}

function log(line: Record<string, unknown>): void {
  console.log(maskedLine({ process: "keeper", ...line }));
}
