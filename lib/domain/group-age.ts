/** `new`: first seen lately. `regressed`: it came back lately after all its letters had been settled. */
export type GroupAge = "new" | "known" | "regressed";

const LATELY_MS = 24 * 3_600_000;

/** Whether a group is new to a view that begins at `fromMs` (null: of the last day). All ms since 1970. */
export function groupAge(
  group: { everFirstMs: number; regressedMs: number | null },
  nowMs: number,
  fromMs: number | null,
): GroupAge {
  const since = fromMs ?? nowMs - LATELY_MS;
  if (group.everFirstMs >= since) return "new";
  return group.regressedMs !== null && group.regressedMs >= since ? "regressed" : "known";
}
