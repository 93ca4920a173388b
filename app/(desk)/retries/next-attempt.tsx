import { LiveTime } from "@/components/ui/live-time";
import type { RetryState } from "@/lib/domain/retry";

/** When a job is tried next. What is due or held has no time to wait for. */
export function NextAttempt({ state, atMs, nowMs }: { state: RetryState; atMs: number; nowMs: number }) {
  switch (state) {
    case "due":
      return "now";
    case "leased":
      return "being tried";
    case "expired":
      return "next pass";
    case "retrying":
    case "scheduled":
      return <LiveTime atMs={atMs} nowMs={nowMs} exact />;
    default:
      return state satisfies never;
  }
}
