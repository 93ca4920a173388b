import { isUtf8 } from "node:buffer";
import type { Letter } from "@/lib/domain/dead-letter";
import { PAYLOAD_SHOWN_MAX } from "@/lib/domain/payload-view";
import { viewPayload, viewWhole } from "@/lib/queues/masked";

/** An item as its page shows it: masked source text, or why it is not shown. */
export function payloadOf(item: Buffer): Letter["payload"] {
  const nothing = { bytes: item.length, text: null, raw: null, masked: [] };
  const problem = notShown(item);
  if (problem !== null) return { ...nothing, problem };
  const view = isUtf8(item) ? viewPayload(item.toString("utf8")) : null;
  if (view) return { bytes: item.length, ...view, problem: null };
  const what = isUtf8(item) ? "Not JSON" : "Not UTF-8";
  return { ...nothing, problem: `${what}, so nobody can tell where a secret stands in it: it is not shown.` };
}

/** An item with nothing masked, for an audited reveal. What is not UTF-8 is shown as base64. */
export function wholeOf(item: Buffer): Letter["payload"] {
  const problem = notShown(item);
  if (problem !== null) return { bytes: item.length, text: null, raw: null, masked: [], problem };
  const text = isUtf8(item) ? item.toString("utf8") : `base64: ${item.toString("base64")}`;
  return { bytes: item.length, ...viewWhole(text), problem: null };
}

function notShown(item: Buffer): string | null {
  if (item.length > PAYLOAD_SHOWN_MAX)
    return `${item.length} bytes: too large to show. It is stored whole and requeued whole.`;
  return item.length === 0 ? "Empty: there are no bytes." : null;
}
