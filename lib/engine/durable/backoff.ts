/**
 * SQL for the delay before the next try, in ms: the base, doubled with each failure, at most the cap. The name is
 * historical; it is used for every kind.
 * @param attempts SQL of the failures so far, this one not counted
 */
export function characterLocationRetryBackoff(attempts: string, baseMs: string, capMs: string): string {
  // From 2^30 on it is the cap in any case, and power() cannot overflow.
  return `least(${capMs}::float8, ${baseMs}::float8 * power(2, least(${attempts}, 30)))`;
}
