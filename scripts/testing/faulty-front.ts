import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";

export type Fault = { status: number; contentType?: string; body: string } | "nothing" | null;

export type FaultyFront = {
  url: string;
  /** What a request whose path ends with `on` gets, instead of reaching the engine. Null: everything passes. */
  fail(on: string, fault: Fault): void;
  close(): Promise<void>;
};

/** A front before a real engine, as a broken load balancer would be: some paths answer wrongly, the rest pass. */
export async function startFaultyFront(engine: { port: number }): Promise<FaultyFront> {
  let failing: { on: string; fault: Fault } = { on: "", fault: null };
  const server = createServer((request, response) => {
    const { on, fault } = failing;
    if (fault !== null && request.url?.split("?")[0]?.endsWith(on)) {
      request.resume();
      request.on("end", () => {
        if (fault === "nothing") return request.socket.destroy();
        response.writeHead(fault.status, { "content-type": fault.contentType ?? "application/json" });
        response.end(fault.body);
      });
      return;
    }
    const through = httpRequest(
      { host: "127.0.0.1", port: engine.port, method: request.method, path: request.url, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    through.on("error", () => response.destroy());
    request.pipe(through);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail(on, fault) {
      failing = { on, fault };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
