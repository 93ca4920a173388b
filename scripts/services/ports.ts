import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Whether somebody could listen on this port now. Throws where the host or the port cannot be listened on at all. */
export function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(new Error(`Cannot listen on ${host}, port ${port}: ${error.code}.`));
    });
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

/** The port that was wished for, or the next free one; 0 takes any. */
export async function portFrom(wished: number, host: string): Promise<number> {
  if (wished === 0) return pickPort();
  for (let port = wished; port < Math.min(wished + 100, 65_536); port++) {
    if (await isPortFree(port, host)) return port;
  }
  throw new Error(`No free port from ${wished} on: set PORT.`);
}
