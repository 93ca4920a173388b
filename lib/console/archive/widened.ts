import { valueOr } from "@/lib/console/lists/settled";
import { type Widened, widenings } from "@/lib/console/lists/widenings";
import type { CappedCount } from "@/lib/queues/queue";
import { archiveReading } from "./reading";

/** For a filter that matches nothing: what each of its parts keeps out; empty where that cannot be told. Never throws. */
export async function readWidened<F extends Record<string, unknown>>(
  filter: F,
  countOf: (wider: F) => Promise<CappedCount>,
): Promise<Widened<F>[]> {
  return valueOr(await archiveReading("widened", () => widenings(filter, countOf)), []);
}
