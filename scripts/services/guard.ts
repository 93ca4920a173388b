import { spawn } from "node:child_process";

/** Tells the guard of one more server. */
export type Guard = { watch(pid: number): void; release(): Promise<void> };

/**
 * A little process that ends the servers when this one is gone, however it ended: for tests and benches, which must
 * leave nothing running even when they are killed. It learns of that by its input closing.
 */
export function startGuard(): Guard {
  const script = 'while read -r pid; do pids="$pids $pid"; done; kill -INT $pids';
  const shell = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  shell.unref();
  return {
    watch: (pid) => void shell.stdin.write(`${pid}\n`),
    release: () =>
      new Promise((resolve) => {
        if (shell.exitCode !== null || !shell.kill("SIGKILL")) return resolve();
        shell.once("exit", () => resolve());
      }),
  };
}
