import type { FaultName, FaultView } from "@/lib/domain/demo-fault";
import { FAULT_WORDS, sayFaultTime } from "@/lib/domain/demo-fault-words";

type Asked = { verb: "fault_begin" | "fault_end"; fault: FaultName };

/** What became of making or mending a fault, from the one that is open after it. */
export function faultSentence({ verb, fault }: Asked, open: FaultView | null): string {
  const { title, mended } = FAULT_WORDS[fault];
  const other = open !== null && open.fault !== fault ? ` ${FAULT_WORDS[open.fault].title} is open.` : "";
  if (verb === "fault_end") {
    // Somebody has made it anew in between.
    if (open?.fault === fault) return `${title}: it is open again. ${sayFaultTime(open)}`;
    return `${mended}${other}`;
  }
  if (open === null) return `${title}: it was made and is over already.`;
  if (other) return `Nothing was made:${other} There is one fault at a time.`;
  return `${title}. ${sayFaultTime(open)}`;
}
