import { isUtf8 } from "node:buffer";
import type { MaskedPayload } from "@/lib/domain/payload-view";
import { maskError, maskPayload } from "@/lib/queues/masked";

/** A larger item is not searched for secrets: nothing of it is shown or kept but its hash. Bytes. */
const SCANNED_MAX = 8 * 1024 * 1024;

/** An item with its secrets masked, and these secrets; null: it is no JSON, or too large to be searched. */
export function maskItem(item: Buffer): MaskedPayload | null {
  return item.length <= SCANNED_MAX && isUtf8(item) ? maskPayload(item.toString("utf8")) : null;
}

/** A text without the secrets of an item, wherever it quotes them. */
export const mask = (text: string, item: Buffer): string => maskError(text, maskItem(item)?.secrets ?? []);
