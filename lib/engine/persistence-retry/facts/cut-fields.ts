import type { FieldFact } from "@/lib/internal-rpc/wire";

/** What one letter's fields may take, in bytes of their text. */
export const FIELDS_BYTES_MAX = 4_096;
/** The longest single value that is shown whole; the rest of it is told by its length. */
const VALUE_BYTES_MAX = 256;

/** Cuts long values, each with a mark, and leaves out the fields that no longer fit. `cut`: something is missing. */
export function cutFields(fields: FieldFact[]): { fields: FieldFact[]; cut: boolean } {
  const kept: FieldFact[] = [];
  let cut = false;
  let bytes = 0;
  for (const whole of fields) {
    const fact = {
      ...whole,
      field: shorten(whole.field),
      payload: shorten(whole.payload),
      now: whole.now === null ? null : shorten(whole.now),
      after: whole.after === null ? null : shorten(whole.after),
    };
    bytes += sizeOf(fact);
    if (bytes > FIELDS_BYTES_MAX) return { fields: kept, cut: true };
    cut ||= sizeOf(fact) !== sizeOf(whole);
    kept.push(fact);
  }
  return { fields: kept, cut };
}

function shorten(value: string): string {
  const bytes = Buffer.byteLength(value);
  if (bytes <= VALUE_BYTES_MAX) return value;
  // 64 characters are at most 256 bytes, and never half of one.
  return `${[...value].slice(0, 64).join("")}… (${bytes} bytes, cut)`;
}

function sizeOf({ field, payload, now, after }: FieldFact): number {
  return Buffer.byteLength(`${field}${payload}${now ?? ""}${after ?? ""}`);
}
