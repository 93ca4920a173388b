import { setTimeout as sleep } from "node:timers/promises";
import { type Connected, readWideRights } from "@/lib/console/overview/rights";
import { maskedLine } from "@/lib/queues/log-line";

const AGAIN_MS = 30_000;

/** Says once after the start, a line for each connection, what the desk may do there and never does. Never throws. */
export async function tellWideRights(
  connected: Connected,
  signal: AbortSignal,
  say: (line: string) => void = console.log,
): Promise<void> {
  const told = new Set<string>();
  while (!signal.aborted) {
    const found = await readWideRights(connected);
    for (const { store, sentence, asked } of found) {
      if (!asked || told.has(store)) continue;
      told.add(store);
      say(maskedLine({ process: "keeper", event: "rights_too_wide", store, sentence }));
    }
    if (found.every(({ asked }) => asked)) return;
    // A store that is away at the start is asked when it is back.
    await sleep(AGAIN_MS, undefined, { signal }).catch(() => {});
  }
}
