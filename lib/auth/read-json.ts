import type { z } from "zod";
import { unstorable } from "@/lib/auth/unstorable";

/** What a JSON route takes of a body, bytes: as much as an action does. */
export const BODY_MAX = 256 * 1024;

export type Body<T> =
  | { kind: "read"; value: T }
  | { kind: "too_large"; limit: number }
  | { kind: "invalid"; issues: { path: string; message: string }[] };

/** Reads a request's JSON body. Nothing is parsed of one that is too large, and no more of it is read. */
export async function readJson<S extends z.ZodType>(
  request: Request,
  schema: S,
  limit = BODY_MAX,
): Promise<Body<z.output<S>>> {
  const text = await textWithin(request, limit);
  if (text === null) return { kind: "too_large", limit };
  const parsed = schema.safeParse(jsonOf(text));
  if (parsed.success) {
    const refused = unstorable(parsed.data);
    return refused ? { kind: "invalid", issues: [refused] } : { kind: "read", value: parsed.data };
  }
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  return { kind: "invalid", issues };
}

async function textWithin(request: Request, limit: number): Promise<string | null> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) return null;
  const reader = request.body?.getReader();
  if (!reader) return "";
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength;
    if (bytes > limit) {
      await reader.cancel();
      return null;
    }
    parts.push(part.value);
  }
  return Buffer.concat(parts).toString("utf8");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
