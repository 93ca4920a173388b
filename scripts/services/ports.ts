import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Whether somebody could listen on this port now. */
export function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * A free port below the range that the system hands to outgoing connections: one from `listen(0)` may be taken by any
 * connection before the server that it is meant for has started, or while that server restarts.
 */
export async function pickPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(15_000, 30_000);
    if (await isPortFree(port)) return port;
  }
  throw new Error("No free port found between 15000 and 30000.");
}
