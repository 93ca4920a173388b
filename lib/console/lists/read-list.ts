import { POLLED_MS, sharedReading } from "@/lib/console/overview/shared-reading";
import type { ListState, ListWindow } from "@/lib/domain/list-state";
import type { Reading } from "@/lib/domain/queue";
import { STORE_NAMES } from "@/lib/domain/shape-words";
import type { ListAsk, Queue } from "@/lib/queues/queue";
import { settled } from "./settled";

const PATIENCE_MS = 2_500;

/** The lists of a queue, read once for all who look; null: it keeps its work in none. Never throws. */
export async function readListState({ name, shape, list }: Queue): Promise<Reading<ListState> | null> {
  if (!list) return null;
  const { reading } = await sharedReading(`lists:${name}`, {
    freshMs: POLLED_MS,
    patienceMs: PATIENCE_MS,
    who: STORE_NAMES[shape],
    read: () => list.readState(),
  });
  return reading;
}

/** A window of a list. Never throws. */
export async function readListWindow(queue: Queue, ask: ListAsk): Promise<Reading<ListWindow>> {
  const { list } = queue;
  if (!list) throw new Error(`${queue.name} has no lists`);
  return settled(queue, "window", () => list.readWindow(ask));
}
