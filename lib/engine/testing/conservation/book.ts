import { createHash } from "node:crypto";
import type { KindName } from "@/lib/engine/persistence-retry/kinds";
import type { BatchAnswerItem } from "@/lib/internal-rpc/wire";

/**
 * What a producer was told of a piece of work. `durable`: it is there. `unknown`: the answer was lost, and it is there
 * or not. `refused`: it is not there.
 */
export type Told = "durable" | "unknown" | "refused";

/** One piece of work as its producer remembers it: the store is judged by this, never by itself. */
export type Work = {
  retryJobId: string;
  kind: KindName;
  characterId: string;
  key: string;
  /** What tells its effect from another's: gold, x, hair colour, item in the main hand, experience, transfer. */
  mark: string;
  payloadMd5: string;
  told: Told;
  /** Written at once, and queued only where that failed: its key may be in the ledger while it still waits. */
  direct: boolean;
  /** It kills whoever runs it. */
  poison: boolean;
};

/** An answer that the engine gave for a letter. */
export type Answered = { operationId: string | null; answer: BatchAnswerItem };

export type Book = { works: Map<string, Work>; answers: Answered[] };

export const newBook = (): Book => ({ works: new Map(), answers: [] });

export const md5 = (text: string) => createHash("md5").update(text).digest("hex");
