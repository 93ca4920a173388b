/** An id as the desk shortens it: enough at each end to tell two apart by eye. */
export function shortId(id: string): string {
  return id.length > 13 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}
