import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { waitGone } from "./processes";

export type ChildOptions = {
  name: string;
  /** Asked anew at each start: a port may have changed. */
  args: () => string[];
  env: () => NodeJS.ProcessEnv;
  cwd: string;
  /** How long it may take to end after SIGTERM. */
  graceMs: number;
  /** Each line that it prints. */
  onLine(line: string, stream: "stdout" | "stderr"): void;
  /** It ended without being told to; a restart follows when this resolves. */
  onEnd?(how: string, lastLine: string): Promise<void> | void;
  log(line: string): void;
};

/** A Node process that is kept running: it is started again when it ends, ever more slowly when it ends at once. */
export class Child {
  private process: ChildProcess | undefined;
  private wanted = true;
  private fastEnds = 0;
  private lastLine = "";
  private wake = new AbortController();

  constructor(private readonly options: ChildOptions) {}

  pid(): number | undefined {
    return this.process?.pid;
  }

  start(): void {
    const { name, args, env, cwd, onLine, log } = this.options;
    const startedAt = Date.now();
    // A session of its own: Ctrl-C in a terminal is for the supervisor, which ends its children in order.
    const child = spawn(process.execPath, args(), { cwd, env: env(), stdio: ["pipe", "pipe", "pipe"], detached: true });
    this.process = child;
    child.stdin?.on("error", () => {});
    for (const stream of ["stdout", "stderr"] as const) {
      createInterface({ input: child[stream] as NodeJS.ReadableStream }).on("line", (line) => {
        if (stream === "stderr" && line.trim()) this.lastLine = line.trim();
        onLine(line, stream);
      });
    }
    child.once("error", (error) => log(`${name} cannot be started: ${error.message}`));
    child.once("exit", (code, signal) => {
      const how = signal ? `signal ${signal}` : `exit code ${code}`;
      this.process = undefined;
      // What it had started (the server of `next dev`) would go on, and hold the port.
      this.signalGroup("SIGKILL", child.pid);
      if (this.wanted) void this.again(how, Date.now() - startedAt);
    });
  }

  /** SIGTERM, then SIGKILL for it and all that it started; answers when it is gone. */
  async stop(): Promise<void> {
    this.wanted = false;
    this.wake.abort();
    await this.end();
  }

  /** Ends it and starts it again at once: its sources have changed. */
  async restart(): Promise<void> {
    this.wanted = false;
    await this.end();
    this.wanted = true;
    this.start();
  }

  kill(): void {
    this.wanted = false;
    this.wake.abort();
    this.signalGroup("SIGKILL");
  }

  private async end(): Promise<void> {
    const child = this.process;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await Promise.race([exited, sleep(this.options.graceMs, undefined, { ref: false })]);
    this.signalGroup("SIGKILL", child.pid);
    await waitGone(child.pid, 2_000);
  }

  private signalGroup(signal: NodeJS.Signals, pid = this.process?.pid): void {
    try {
      if (pid) process.kill(-pid, signal);
    } catch {
      // Nobody is left in it.
    }
  }

  private async again(how: string, aliveMs: number): Promise<void> {
    const { name, onEnd, log } = this.options;
    this.fastEnds = aliveMs > 30_000 ? 0 : this.fastEnds + 1;
    const waitMs = this.fastEnds < 2 ? 0 : Math.min(500 * 2 ** (this.fastEnds - 2), 30_000);
    await onEnd?.(how, this.lastLine);
    await sleep(waitMs, undefined, { signal: this.wake.signal }).catch(() => {});
    if (!this.wanted) return;
    log(`${name} ended (${how}), started again${waitMs > 0 ? ` after ${waitMs / 1_000} s` : ""}`);
    this.start();
  }
}
