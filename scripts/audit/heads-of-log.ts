import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { z } from "zod";
import type { KnownHead } from "@/lib/console/audit/verify";

const Line = z.object({ event: z.literal("audit_head"), id: z.string().regex(/^\d{1,18}$/), head: z.string() });

/** The heads that a log has seen: each line that holds an `audit_head` event, whatever stands before it. */
export async function headsOfLog(file: string): Promise<KnownHead[]> {
  const heads: KnownHead[] = [];
  for await (const line of createInterface({
    input: createReadStream(file, "utf8"),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const from = line.indexOf('{"');
    if (from < 0 || !line.includes('"audit_head"')) continue;
    const parsed = Line.safeParse(parseJson(line.slice(from)));
    if (parsed.success) heads.push({ id: parsed.data.id, head: parsed.data.head, from: `the log ${file}` });
  }
  return heads;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
