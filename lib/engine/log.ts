/**
 * One JSON line per event on standard output. No payload, no session token and no URL goes in here.
 * @param at the process's clock: good for reading a log, for nothing else
 */
export function log(event: string, fields: Record<string, unknown> = {}): void {
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), event, ...fields })}\n`);
}
