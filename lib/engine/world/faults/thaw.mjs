// Thaws a frozen engine: `node thaw.mjs PID MS`. A child of the engine and in its process group, so that whatever ends
// the engine for good ends this too; it goes by itself when the engine is gone. Builtins only: it must start at once.

const [pid, ms] = process.argv.slice(2).map(Number);
const until = performance.now() + ms;

function thaw() {
  // No longer its parent: the engine is gone, and its number may be somebody else's by now.
  if (process.ppid === pid) process.kill(pid, "SIGCONT");
  process.exit(0);
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, thaw);
process.stdout.on("error", () => {});
process.stdout.write("ready\n");
setInterval(() => {
  if (process.ppid !== pid) process.exit(0);
  if (performance.now() >= until) thaw();
}, 100);
