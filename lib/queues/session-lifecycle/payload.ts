import { isUtf8 } from "node:buffer";
import type { Letter } from "@/lib/domain/dead-letter";
import { PAYLOAD_SHOWN_MAX, viewPayload } from "@/lib/domain/payload-view";

/** An item as its page shows it: masked source text, or why it is not shown. */
export function payloadOf(item: Buffer): Letter["payload"] {
  const nothing = { bytes: item.length, text: null, raw: null, masked: [] };
  if (item.length > PAYLOAD_SHOWN_MAX) {
    return { ...nothing, problem: `${item.length} bytes: too large to show. It is stored whole and requeued whole.` };
  }
  if (item.length === 0) return { ...nothing, problem: "Empty: there are no bytes." };
  const view = isUtf8(item) ? viewPayload(item.toString("utf8")) : null;
  if (view) return { bytes: item.length, ...view, problem: null };
  const what = isUtf8(item) ? "Not JSON" : "Not UTF-8";
  return { ...nothing, problem: `${what}, so nobody can tell where a secret stands in it: it is not shown.` };
}
