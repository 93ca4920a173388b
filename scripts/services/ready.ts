import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** How browsers on this machine reach a host that we listen on. */
export function localUrl(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Asks `/api/health` until it answers 200; false once `giveUp` says so. */
export async function untilHealthy(url: () => string, giveUp: () => boolean): Promise<boolean> {
  while (!giveUp()) {
    if ((await statusOf(`${url()}/api/health`)) === 200) return true;
    await sleep(60);
  }
  return false;
}

/** On a connection of its own: one that is kept open would make the web wait for it when it is to end. */
function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 10_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    request.once("timeout", () => request.destroy());
    // Not listening yet.
    request.once("error", () => resolve(undefined));
  });
}
