/** A stretch of a text: from its first character to the one after its last. */
export type Span = readonly [from: number, to: number];

/** A field that is never shown, by the keys that lead to it, outermost first, each as `plainKey` has it. */
export type MaskPath = {
  /** Its first key is one of the outermost object; else it may stand at any depth. */
  rooted: boolean;
  keys: readonly string[];
};

/** What is never shown unless it is revealed. */
export type Masking = {
  paths: readonly MaskPath[];
  /** Stretches of a text that are never shown, in any order; they may overlap. Takes time in proportion to the text. */
  find(text: string): Span[];
};

/** A key without what its writers differ in: `session_token`, `sessionToken` and `Session-Token` are one. */
export function plainKey(key: string): string {
  return key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The keys that one key of a JSON object stands for: `a.session_token` is a path written into a key. */
export function plainKeys(key: string): string[] {
  const parts = key.includes(".") ? key.split(".") : [key];
  return parts.map((part) => plainKey(part.replace(/(\[[^\]]*\])+$/, ""))).filter(Boolean);
}

const PATH_KEYS_MAX = 16;

/**
 * Reads `email`, `player.address`, `items[].serial` or `$.token`. Places in lists do not count; with `$.` the path begins
 * at the outermost object, without it may stand at any depth. Null: it names nothing.
 */
export function parseMaskPath(text: string): MaskPath | null {
  const rooted = text.startsWith("$.");
  const parts = (rooted ? text.slice(2) : text).split(".");
  const keys = parts.map((part) => plainKey(part.replace(/(\[(\d*|\*)\])+$/, "")));
  return keys.length <= PATH_KEYS_MAX && keys.every(Boolean) ? { rooted, keys } : null;
}

/**
 * Whether a field by its name or path, as somebody else writes it (`gold`, `position.x`), is a masked one. Whoever names
 * it may leave out the keys that lead to it: in doubt it is.
 */
export function isMaskedField(field: string, paths: readonly MaskPath[]): boolean {
  const keys = plainKeys(field);
  const ends = (longer: readonly string[], shorter: readonly string[]) =>
    shorter.every((key, at) => key === longer[longer.length - shorter.length + at]);
  return paths.some((path) =>
    keys.some((_, at) => {
      const lead = keys.slice(0, at + 1);
      return lead.length >= path.keys.length ? ends(lead, path.keys) : ends(path.keys, lead);
    }),
  );
}

/** Spans in order, those that touch or overlap made one. */
export function mergedSpans(spans: readonly Span[]): Span[] {
  const merged: [number, number][] = [];
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
