/**
 * Loaded before a child's own program: ends the child when the supervisor is gone, however that ended. Its standard
 * input is a pipe that nobody writes to; the system closes it with the supervisor.
 */
import { fstatSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const HARD_END_MS = 8_000;

// For this process alone: what it forks would inherit the flag, and may have an input that is closed from the start.
const own = process.execArgv.findIndex((arg) => arg.endsWith("end-with-parent.mjs"));
if (own > 0) process.execArgv.splice(own - 1, 2);

const input = fstatSync(0);
if (isMainThread && (input.isFIFO() || input.isSocket())) {
  // The supervisor's ends of the output pipes go at the same moment: writing to them must not throw.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  process.stdin.on("error", () => {});
  process.stdin.once("close", () => {
    setTimeout(() => process.kill(process.pid, "SIGKILL"), HARD_END_MS).unref();
    process.kill(process.pid, "SIGTERM");
  });
  process.stdin.resume();
  process.stdin.unref?.();
}
