import { type AddressInfo, createServer, type Socket, connect as tcpConnect } from "node:net";
import { createLane } from "./proxy-lane";

/**
 * What happens to what goes through. `match`: only on a connection on which the client has sent this text (bytes as
 * latin1) since the mode was set, e.g. `commit`; left out: on every one.
 */
export type ProxyMode =
  /** Goes through, later (`delayMs`) or in small pieces (`slice`) where asked. */
  | { kind: "pass"; delayMs?: number; slice?: { bytes: number; gapMs: number } }
  /** Takes connections and bytes, and passes none of them on, either way. */
  | { kind: "black_hole" }
  /** Cuts when the client sends something, before the target sees it. */
  | { kind: "cut_before_request"; match?: string }
  /** The target gets everything; its reply is lost, and both sides are cut when it comes. */
  | { kind: "cut_before_reply"; match?: string }
  /** The target gets everything; nothing it says comes back, and nobody is cut. */
  | { kind: "hold_reply"; match?: string }
  /** Passes `bytes` of the reply on, then cuts. */
  | { kind: "cut_in_reply"; bytes: number; match?: string }
  /** Passes the reply on until it pauses for `quietMs` (default 50), then cuts. */
  | { kind: "cut_after_reply"; quietMs?: number; match?: string };

export type TestProxy = {
  port: number;
  /** Sets the mode for all connections, those that stand included. `times`: back to `pass` after so many cuts. */
  set(mode: ProxyMode, times?: number): void;
  /** How many connections were taken, and how many were cut by a mode. */
  seen(): { connections: number; cuts: number };
  /** Resolves at the next cut that a mode makes. */
  nextCut(): Promise<void>;
  /** Cuts everything that stands, now. */
  cutAll(): void;
  close(): Promise<void>;
};

/** A TCP proxy on loopback before a Postgres, a Redis or an HTTP server, that does harm when told to. For tests only. */
export async function startProxy(target: { port: number; host?: string }): Promise<TestProxy> {
  const pairs = new Set<[Socket, Socket]>();
  const waiting: (() => void)[] = [];
  const seen = { connections: 0, cuts: 0 };
  let mode: ProxyMode = { kind: "pass" };
  let generation = 0;
  let left = Number.POSITIVE_INFINITY;

  const server = createServer((client) => {
    seen.connections += 1;
    const upstream = tcpConnect({ host: target.host ?? "127.0.0.1", port: target.port });
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    const cut = () => {
      for (const socket of pair) socket.resetAndDestroy();
    };
    const lane = createLane({
      client,
      upstream,
      mode: () => ({ mode, generation }),
      cut: () => {
        cut();
        seen.cuts += 1;
        left -= 1;
        if (left <= 0) mode = { kind: "pass" };
        for (const tell of waiting.splice(0)) tell();
      },
    });
    client.on("data", lane.fromClient);
    upstream.on("data", lane.fromUpstream);
    for (const [socket, other] of [pair, [upstream, client] as const]) {
      socket.setNoDelay(true);
      socket.on("end", () => lane.end(other));
      socket.on("error", cut);
      socket.on("close", () => {
        // Silence stays silence when the target hangs up; only the client itself ends it then.
        if (socket === upstream && lane.silent()) return;
        pairs.delete(pair);
        other.destroy();
      });
    }
  });

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cutAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    set(next, times = Number.POSITIVE_INFINITY) {
      mode = next;
      left = times;
      generation += 1;
    },
    seen: () => ({ ...seen }),
    nextCut: () => new Promise((resolve) => waiting.push(resolve)),
    cutAll,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cutAll();
      }),
  };
}
