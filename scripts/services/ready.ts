import { setTimeout as sleep } from "node:timers/promises";

/** How browsers on this machine reach a host that we listen on. */
export function localUrl(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Asks `/api/health` until it answers 200; false once `giveUp` says so. */
export async function untilHealthy(url: () => string, giveUp: () => boolean): Promise<boolean> {
  while (!giveUp()) {
    try {
      const answer = await fetch(`${url()}/api/health`, { signal: AbortSignal.timeout(10_000), redirect: "manual" });
      await answer.body?.cancel();
      if (answer.status === 200) return true;
    } catch {
      // Not listening yet.
    }
    await sleep(60);
  }
  return false;
}
