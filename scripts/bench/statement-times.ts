import type pg from "pg";

type Query = (...args: unknown[]) => unknown;

/**
 * The longest that each statement of a pool took, ms, by name or text, as its caller sees it: the process's own pauses
 * count. Waiting for a connection does not.
 */
export function timeStatements(pool: pg.Pool): Map<string, number> {
  const slowest = new Map<string, number>();
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as Query;
    const note = (name: string, since: number) => {
      const ms = performance.now() - since;
      if (ms > (slowest.get(name) ?? 0)) slowest.set(name, ms);
    };
    const timed: Query = (...args) => {
      const name = nameOf(args[0]);
      const since = performance.now();
      const last = args.at(-1);
      // The pool itself asks with a callback.
      if (typeof last === "function") {
        return query(...args.slice(0, -1), (...answer: unknown[]) => {
          note(name, since);
          (last as Query)(...answer);
        });
      }
      return (query(...args) as Promise<unknown>).finally(() => note(name, since));
    };
    client.query = timed as typeof client.query;
  });
  return slowest;
}

function nameOf(asked: unknown): string {
  if (typeof asked === "string") return asked.trim().split(/[\s;]/, 1)[0] ?? "";
  return (asked as { name?: string }).name ?? "unnamed";
}
