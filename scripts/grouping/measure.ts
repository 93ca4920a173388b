import type { Sample } from "./provoke";

export type Figures = {
  /** Of the pairs with one fingerprint, the share of one cause. */
  precision: number;
  /** Of the pairs of one cause, the share with one fingerprint. */
  recall: number;
  /** Causes that share a fingerprint. */
  joined: string[];
  /** Causes with more fingerprints than one, with all of them. */
  split: string[];
};

/** Pairwise precision and recall of a grouping, 0 to 1; both are 1 where there are no pairs to judge. */
export function measure(samples: Sample[], fingerprint: (error: string) => string): Figures {
  const cells = new Map<string, Map<string, number>>();
  for (const { cause, error } of samples) {
    const group = fingerprint(error);
    const row = cells.get(group) ?? new Map<string, number>();
    cells.set(group, row.set(cause, (row.get(cause) ?? 0) + 1));
  }
  const sizes = new Map<string, number>();
  for (const { cause } of samples) sizes.set(cause, (sizes.get(cause) ?? 0) + 1);

  const rows = [...cells.values()];
  const agreed = sum(rows.flatMap((row) => [...row.values()].map(pairs)));
  const together = sum(rows.map((row) => pairs(sum([...row.values()]))));
  const alike = sum([...sizes.values()].map(pairs));
  return {
    precision: together === 0 ? 1 : agreed / together,
    recall: alike === 0 ? 1 : agreed / alike,
    joined: [...cells].filter(([, row]) => row.size > 1).map(([group, row]) => `${list([...row.keys()])}: ${group}`),
    split: [...sizes.keys()]
      .map((cause) => [cause, [...cells].filter(([, row]) => row.has(cause)).map(([group]) => group)] as const)
      .filter(([, groups]) => groups.length > 1)
      .map(([cause, groups]) => `"${cause}": ${groups.join("\n    ")}`),
  };
}

/**
 * Causes that their source words alike to the letter are one: no rule can tell `ERR value is not an integer or out of
 * range` of a counter from that of a step. Looks at texts alone, never at a fingerprint.
 */
export function oneForTheirWords(samples: Sample[]): Sample[] {
  let merged = samples;
  for (const error of new Set(samples.map((sample) => sample.error))) {
    const alike = new Set(merged.filter((sample) => sample.error === error).map(({ cause }) => cause));
    if (alike.size < 2) continue;
    const name = [...alike].join(" = ");
    merged = merged.map((sample) => (alike.has(sample.cause) ? { ...sample, cause: name } : sample));
  }
  return merged;
}

const pairs = (count: number) => (count * (count - 1)) / 2;
const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
const list = (names: string[]) => names.map((name) => `"${name}"`).join(" and ");
