/** The first text of a value that Postgres cannot store: where it stands (`items.1.id`), and why. */
export type Unstorable = { path: string; message: string };

/** What of a parsed input no text column takes, keys included; null: nothing. The store would refuse the whole of it. */
export function unstorable(value: unknown, path = ""): Unstorable | null {
  if (typeof value === "string") {
    const message = why(value);
    return message === null ? null : { path, message };
  }
  if (typeof value !== "object" || value === null) return null;
  for (const [key, each] of Object.entries(value)) {
    const message = why(key);
    const found = message !== null ? { path, message } : unstorable(each, path === "" ? key : `${path}.${key}`);
    if (found) return found;
  }
  return null;
}

function why(text: string): string | null {
  if (text.includes("\0")) return "A NUL character cannot be stored.";
  return text.isWellFormed() ? null : "Half of a character (a lone surrogate) cannot be stored.";
}
