/** In a child of a bench: says that it is ready, and begins at the line that comes then. Ends with its parent's pipe. */
export function onGo(begin: () => unknown): void {
  process.stdin.once("data", () => void begin());
  process.stdin.once("end", () => process.exit(0));
  console.log(JSON.stringify({ event: "ready" }));
}
