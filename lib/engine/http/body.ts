import type { IncomingMessage } from "node:http";
import { REQUEST_BYTES_MAX } from "@/lib/internal-rpc/limits";

/** `gone`: the caller went away, or was cut for being slow; there is nobody to answer. */
export type BodyReading = { kind: "read"; body: Buffer } | { kind: "too_large" } | { kind: "gone" };

/**
 * What is still taken in, and thrown away, of a body that is too large. A connection closed over unread bytes is reset,
 * and the caller would lose the very answer that says why.
 */
const DISCARD_BYTES_MAX = 4 * REQUEST_BYTES_MAX;

/** Reads a request's body, keeping at most `REQUEST_BYTES_MAX` in memory whatever its length says. Never rejects. */
export function readBody(request: IncomingMessage): Promise<BodyReading> {
  if (Number(request.headers["content-length"] ?? 0) > DISCARD_BYTES_MAX) return Promise.resolve({ kind: "too_large" });
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= REQUEST_BYTES_MAX) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      if (bytes > DISCARD_BYTES_MAX) resolve({ kind: "too_large" });
    });
    request.on("end", () =>
      resolve(bytes > REQUEST_BYTES_MAX ? { kind: "too_large" } : { kind: "read", body: Buffer.concat(chunks) }),
    );
    request.on("error", () => resolve({ kind: "gone" }));
    request.on("close", () => resolve({ kind: "gone" }));
  });
}
