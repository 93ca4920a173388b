import { spawn } from "node:child_process";

/** One step of check or test: its output passes through, its exit code comes back (128 when a signal ended it). */
export function run(command: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], env });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 128));
  });
}

/** Runs a package's own JavaScript with this Node, so that no wrapper process is left behind. */
export function runNode(
  script: string,
  args: string[],
  env?: NodeJS.ProcessEnv,
  nodeArgs: string[] = [],
): Promise<number> {
  return run(process.execPath, [...nodeArgs, script, ...args], env);
}
