import type { CappedCount } from "@/lib/queues/queue";

/** One part of a filter, and how many rows there are without it. */
export type Widened<F> = CappedCount & { without: keyof F };

/** For a filter that matches nothing: what each of its parts keeps out. */
export function widenings<F extends Record<string, unknown>>(
  filter: F,
  countOf: (wider: F) => Promise<CappedCount>,
): Promise<Widened<F>[]> {
  const set = (Object.keys(filter) as (keyof F)[]).filter((key) => {
    const value = filter[key];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
  return Promise.all(
    set.map(async (without) => ({ without, ...(await countOf({ ...filter, [without]: undefined })) })),
  );
}
