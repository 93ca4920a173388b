import type { GlyphName } from "@/components/ui/glyph-paths";

/** Every state that the screens show, with its word and its glyph. These words and no others. */
export const STATES = {
  due: { word: "Due", glyph: "due" },
  scheduled: { word: "Scheduled", glyph: "scheduled" },
  retrying: { word: "Retrying", glyph: "retrying" },
  leased: { word: "Leased", glyph: "leased" },
  processing: { word: "Processing", glyph: "leased" },
  expired: { word: "Lease expired", glyph: "expired" },
  dead: { word: "Dead", glyph: "dead" },
  open: { word: "Open", glyph: "dead" },
  active: { word: "Active", glyph: "dead" },
  died_again: { word: "Died again", glyph: "again" },
  awaiting: { word: "Awaiting", glyph: "awaiting" },
  recovered: { word: "Recovered", glyph: "recovered" },
  superseded: { word: "Superseded", glyph: "superseded" },
  resolved: { word: "Resolved", glyph: "resolved" },
  left_unproved: { word: "Left, not proved", glyph: "left" },
  requeued_elsewhere: { word: "Requeued elsewhere", glyph: "elsewhere" },
  left_elsewhere: { word: "Left elsewhere", glyph: "elsewhere" },
  skipped: { word: "Skipped", glyph: "skipped" },
  refused: { word: "Refused", glyph: "refused" },
  unknown: { word: "Unknown", glyph: "unknown" },
  not_configured: { word: "Not configured", glyph: "unconfigured" },
  succeeded: { word: "Succeeded", glyph: "ok" },
  ok: { word: "OK", glyph: "ok" },
  warn: { word: "Warning", glyph: "warn" },
  block: { word: "Blocked", glyph: "block" },
} as const satisfies Record<string, { word: string; glyph: GlyphName }>;

export type StateName = keyof typeof STATES;
