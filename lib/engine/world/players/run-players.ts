import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/engine/log";
import { errorText } from "@/lib/engine/pg/error-text";
import type { Crowd } from "./crowd";

const TICK_MS = 1_000;
const TROUBLE_MS = 3_000;

/** Players come and go while this engine drives the world, until the signal is aborted; then everybody leaves. */
export async function runPlayers(crowd: Crowd, drives: () => boolean, stop: AbortSignal): Promise<void> {
  const pause = (ms: number) => sleep(ms, undefined, { signal: stop }).catch(() => {});
  let troubled = false;
  while (!stop.aborted) {
    try {
      if (drives()) await crowd.step();
      else await crowd.empty();
      troubled = false;
      await pause(TICK_MS);
    } catch (error) {
      // Once per trouble: a store that is away for an hour is one line.
      if (!troubled) log("players_trouble", { error: errorText(error).slice(0, 300) });
      troubled = true;
      await pause(TROUBLE_MS);
    }
  }
  await crowd.empty().catch(() => {});
}
