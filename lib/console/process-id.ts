import { randomUUID } from "node:crypto";

// On globalThis, since a bundler may load this module more than once in one process.
const holder = globalThis as typeof globalThis & { backstopProcess?: string };

/**
 * This very web process. A page and the polls that it makes name theirs: where both are the same, both ends of the wire
 * are the same code, and the browser need not check the answer against a schema.
 */
export function processId(): string {
  holder.backstopProcess ??= randomUUID();
  return holder.backstopProcess;
}

/** An answer to a poll: what was read, and which process read it. */
export async function answered<T>(value: Promise<T>): Promise<{ from: string; value: T }> {
  return { from: processId(), value: await value };
}
