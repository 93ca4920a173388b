/**
 * SQL for a timestamptz as the wire's instant: ISO 8601 in UTC with microseconds, or `infinity`.
 * pg's own Date has milliseconds only, and no infinity.
 */
export function instant(column: string): string {
  return `case when isfinite(${column})
    then to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') else (${column})::text end`;
}
