/** A stretch of the store's time, ms since 1970. */
export type Span = { fromMs: number; toMs: number };

/** How much of a stretch lies in any of some others, which may overlap, ms. */
export function within(span: Span, others: readonly Span[]): number {
  let covered = 0;
  let reached = span.fromMs;
  for (const { fromMs, toMs } of others.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const from = Math.max(fromMs, reached);
    const to = Math.min(toMs, span.toMs);
    if (to > from) covered += to - from;
    reached = Math.max(reached, Math.min(toMs, span.toMs));
  }
  return covered;
}

export type Gap = Span & { excused: number };

/** The stretches between some instants, in order, and how much of each some others excuse. */
export function gapsOf(instants: readonly number[], excuses: readonly Span[]): Gap[] {
  return instants.slice(1).map((toMs, index) => {
    const span = { fromMs: instants[index] ?? toMs, toMs };
    return { ...span, excused: within(span, excuses) };
  });
}
