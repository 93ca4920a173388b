import { maskError } from "@/lib/queues/masked";

/** Kept of an error. Bytes. */
const ERROR_KEPT_MAX = 16_384;

/** An error as an archive may keep it: masked, and cut to a whole character, as half of one would be kept as another. */
export function keptError(error: string, secrets: readonly string[]): string {
  const masked = maskError(error, secrets);
  if (masked.length * 3 <= ERROR_KEPT_MAX) return masked;
  const bytes = Buffer.from(masked);
  if (bytes.length <= ERROR_KEPT_MAX) return masked;
  return bytes
    .subarray(0, ERROR_KEPT_MAX)
    .toString()
    .replace(/\ufffd+$/, "");
}
