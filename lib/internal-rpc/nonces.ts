import type { Authentic } from "./verify";

/**
 * What a store says of a signature's time and nonce. `serverTime` is the store's clock, ISO 8601 with microseconds.
 * `too_far`: `created` is further from it than `SKEW_MAX_S`; `expired`: it is past `expires`.
 */
export type NonceVerdict =
  | { kind: "fresh"; serverTime: string }
  | { kind: "replayed"; serverTime: string }
  | { kind: "clock_skew"; why: "too_far" | "expired"; serverTime: string };

/**
 * Where (keyid, nonce) is used up, once, before the handler runs. The store that keeps the nonces judges the times too,
 * in the same statement or script: one clock decides for every process of the engine.
 */
export interface NonceStore {
  /** Fresh exactly once for each (keyid, nonce), however many ask at the same instant. */
  consume(request: Authentic): Promise<NonceVerdict>;
  /** Forgets nonces older than `NONCE_KEPT_S`; gives how many. */
  sweep(): Promise<number>;
}
