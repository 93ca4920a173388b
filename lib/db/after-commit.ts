/** What waits for the commit, by the connection of its transaction. */
const waiting = new WeakMap<object, (() => void)[]>();

/**
 * Does something once what was written by `db` is committed: after the commit of its `transaction`, not at all where
 * that was undone. Must not throw. A connection without such a transaction has committed already: at once.
 */
export function afterCommit(db: object, work: () => void): void {
  const line = waiting.get(db);
  if (line) line.push(work);
  else work();
}

/** A transaction begins on this connection. */
export function openLine(client: object): void {
  waiting.set(client, []);
}

/** It ended; `committed`: what waited is done now. */
export function closeLine(client: object, committed: boolean): void {
  const line = waiting.get(client) ?? [];
  waiting.delete(client);
  if (committed) for (const work of line) work();
}
