import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProxyMode } from "./proxy";

export type LaneSetup = {
  client: Socket;
  upstream: Socket;
  /** The mode now, and a number that changes each time one is set. */
  mode: () => { mode: ProxyMode; generation: number };
  cut: () => void;
};

/** One connection through the proxy: decides for each chunk of either side by the mode that holds when it comes. */
export function createLane({ client, upstream, mode, cut }: LaneSetup) {
  let generation = -1;
  let sent = "";
  let replied = 0;
  let quiet: NodeJS.Timeout | undefined;
  // Chunks keep their order through delays: each waits for the one before it.
  const queues = new Map<Socket, Promise<void>>();

  function now(): ProxyMode {
    const current = mode();
    if (current.generation !== generation) {
      generation = current.generation;
      sent = "";
      replied = 0;
    }
    return current.mode;
  }

  function pass(to: Socket, chunk: Buffer, holding: ProxyMode): void {
    const { delayMs = 0, slice } = holding.kind === "pass" ? holding : {};
    const before = queues.get(to);
    if (!before && delayMs === 0 && !slice) {
      to.write(chunk);
      return;
    }
    const after = (before ?? Promise.resolve()).then(async () => {
      if (delayMs > 0) await sleep(delayMs);
      const size = slice?.bytes ?? chunk.length;
      for (let at = 0; at < chunk.length && !to.destroyed; at += size) {
        to.write(chunk.subarray(at, at + size));
        if (slice) await sleep(slice.gapMs);
      }
    });
    queues.set(to, after);
  }

  const silent = () => ["black_hole", "hold_reply"].includes(now().kind);
  const armed = (match?: string) => match === undefined || sent.includes(match);

  return {
    silent,

    fromClient(chunk: Buffer): void {
      const holding = now();
      if (holding.kind === "black_hole") return;
      sent += chunk.toString("latin1");
      if (holding.kind === "cut_before_request" && armed(holding.match)) cut();
      else pass(upstream, chunk, holding);
    },

    fromUpstream(chunk: Buffer): void {
      const holding = now();
      switch (holding.kind) {
        case "black_hole":
          return;
        case "hold_reply":
          if (!armed(holding.match)) pass(client, chunk, holding);
          return;
        case "cut_before_reply":
          if (armed(holding.match)) cut();
          else pass(client, chunk, holding);
          return;
        case "cut_in_reply": {
          if (!armed(holding.match)) {
            pass(client, chunk, holding);
            return;
          }
          const part = chunk.subarray(0, Math.max(0, holding.bytes - replied));
          replied += part.length;
          // Cut only once the part is on its way: a reset would overtake it.
          client.write(part, () => {
            if (replied >= holding.bytes) setTimeout(cut, 20);
          });
          return;
        }
        case "cut_after_reply":
          pass(client, chunk, holding);
          if (!armed(holding.match)) return;
          clearTimeout(quiet);
          quiet = setTimeout(cut, holding.quietMs ?? 50);
          return;
        case "pass":
        case "cut_before_request":
          pass(client, chunk, holding);
          return;
        default:
          holding satisfies never;
      }
    },

    /** One side has said all: the other learns it after what is still under way to it. */
    end(other: Socket): void {
      if (silent()) return;
      void (queues.get(other) ?? Promise.resolve()).then(() => other.end());
    },
  };
}
