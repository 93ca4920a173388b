import type { Config } from "@/lib/config";
import type { EngineCounters } from "@/lib/domain/queue-sample";

/** Where the engine tells its counters, and the token that reads them. */
export type CounterSource = { engineUrl: string; token: string };

/** Null: no token is set, or no engine is known. */
export const counterSourceOf = ({ engineUrl, metricsToken }: Config): CounterSource | null =>
  engineUrl === null || metricsToken === null ? null : { engineUrl, token: metricsToken };

const ROUTE = "/v1/internal/metrics";
const PATIENCE_MS = 2_000;
const BYTES_MAX = 1_048_576;

/** Counters by the queue's name; `readCounters` gives them for each queue of one answer. */
export type ReadCounters = (queue: string) => EngineCounters;

const UNTOLD: EngineCounters = { durableOnly: null, enqueueErrors: null };

/**
 * What the engine has counted since its start, as Prometheus text. Without a source, or when it does not answer in
 * time, nothing is told: a sample has its other numbers all the same. Never throws.
 */
export async function readCounters(source: CounterSource | null): Promise<ReadCounters> {
  if (!source) return () => UNTOLD;
  try {
    const response = await fetch(new URL(ROUTE, source.engineUrl), {
      headers: { authorization: `Bearer ${source.token}` },
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const size = Number(response.headers.get("content-length") ?? 0);
    if (!response.ok || size > BYTES_MAX) return () => UNTOLD;
    const text = (await response.text()).slice(0, BYTES_MAX);
    return (queue) => countersIn(text, queue);
  } catch {
    return () => UNTOLD;
  }
}

/** The counters of one queue in an answer. A counter with reasons that has counted nothing yet is empty, not unknown. */
export function countersIn(text: string, queue: string): EngineCounters {
  const prefix = `backstop_${queue.replaceAll("-", "_")}`;
  const durable = valuesOf(text, `${prefix}_durable_only_total`);
  const errors = valuesOf(text, `${prefix}_enqueue_errors_total`);
  return {
    durableOnly:
      durable && Object.fromEntries(durable.map(({ labels, value }) => [/reason="([^"]*)"/.exec(labels)?.[1], value])),
    enqueueErrors: errors === null ? null : errors.reduce((sum, { value }) => sum + value, 0),
  };
}

function valuesOf(text: string, name: string): { labels: string; value: number }[] | null {
  const lines = text.split("\n");
  if (!lines.some((line) => line.startsWith(`# TYPE ${name} `))) return null;
  return lines.flatMap((line) => {
    if (!line.startsWith(`${name}{`) && !line.startsWith(`${name} `)) return [];
    const value = Math.round(Number(line.slice(line.lastIndexOf(" ") + 1)));
    return Number.isFinite(value) ? [{ labels: line.slice(name.length, line.lastIndexOf(" ")), value }] : [];
  });
}
