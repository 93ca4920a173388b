const DAY = 86_400_000;

/** A database's address whose sessions are in this time zone. */
export function inZone(url: string, zone: string): string {
  const changed = new URL(url);
  changed.searchParams.set("options", `-c TimeZone=${zone}`);
  return changed.href;
}

/**
 * A zone (POSIX) whose clocks are put an hour forward or back at an instant on a whole hour (ms since 1970), whenever
 * that is: what a test reads may have to be of yesterday.
 */
export function zoneChanging(atMs: number, way: "forward" | "back"): string {
  const day = (ms: number) => Math.floor((ms - Date.UTC(new Date(ms).getUTCFullYear(), 0, 1)) / DAY);
  const hour = new Date(atMs).getUTCHours();
  const other = `${day(atMs + 120 * DAY)}/0`;
  // Back is said on the clock that is put back.
  return way === "forward" ? `AAA0BBB,${day(atMs)}/${hour},${other}` : `AAA0BBB,${other},${day(atMs)}/${hour + 1}`;
}

/** The instants at which New York's clocks went forward and back (ms since 1970). */
export const NEW_YORK_CHANGES = [
  { way: "forward", atMs: Date.UTC(2025, 2, 9, 7) },
  { way: "back", atMs: Date.UTC(2025, 10, 2, 6) },
] as const;

/** One of a quarter of an hour, one whose clocks change, and that of the databases. */
export const ZONES = ["UTC", "Asia/Kathmandu", "America/New_York"] as const;
