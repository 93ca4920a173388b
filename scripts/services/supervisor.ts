import { issueSetupToken } from "@/lib/auth/setup-token";
import { migrate } from "@/lib/db/migrate";
import type { Child } from "./child";
import { childEnvs, ownStores } from "./child-env";
import { makeChild, type Name, stopChildren } from "./children";
import { type Services, startServices } from "./index";
import { reloadOnChange } from "./live-reload";
import { capServerLogs } from "./logs";
import { buildIfStale } from "./next-build";
import type { Plan } from "./plan";
import { pickPort, portFrom } from "./ports";
import { localUrl, untilHealthy } from "./ready";
import type { Terminal } from "./terminal";

export type SupervisorOptions = {
  root: string;
  stateDir: string;
  plan: Plan;
  env: NodeJS.ProcessEnv;
  dev: boolean;
  terminal: Terminal;
  /** Aborted: bring it down. */
  signal: AbortSignal;
};

/** How often the web may end before it has ever answered. */
const WEB_TRIES = 3;
const READY_WITHIN_MS = 120_000;

/** Everything that one `npm start` runs: the servers (embedded), and web, engine and keeper. */
export class Supervisor {
  private services: Services | undefined;
  private readonly children: Partial<Record<Name, Child>> = {};
  private readonly undo: (() => void)[] = [];
  private building: Promise<unknown> = Promise.resolve();
  private port = 0;
  private webEnds = 0;
  private webError = "";

  constructor(private readonly options: SupervisorOptions) {}

  /** Answers when the desk answers. Throws one clear line when it cannot; the caller then calls `down`. */
  async up(): Promise<void> {
    const { root, plan, env, dev, terminal, signal } = this.options;
    const build = () => {
      if (!dev) this.building = buildIfStale(root, env, terminal.say, signal);
      this.building.catch(() => {});
    };
    // Not before the lock is held: another starter may run from the very build that would be replaced.
    if (plan.embedded) await this.startServers(build);
    else build();
    signal.throwIfAborted();
    await this.startChildren();
    await this.announce();
  }

  /** Ends everything, in order; nothing is left when it answers. */
  async down(): Promise<void> {
    for (const step of this.undo) step();
    await Promise.all([stopChildren(this.children), this.building.catch(() => {})]);
    await this.services?.stop();
  }

  /** Ends everything now. */
  kill(): void {
    for (const child of Object.values(this.children)) child.kill();
    this.services?.kill();
  }

  private async startServers(onLocked: () => void): Promise<void> {
    const { stateDir, terminal, signal } = this.options;
    this.services = await startServices({ stateDir, log: terminal.say, supervise: true, onLocked, signal });
    const { logsDir } = this.services;
    terminal.keepIn(logsDir);
    const timer = setInterval(() => capServerLogs(logsDir), 60_000);
    this.undo.push(() => clearInterval(timer));
  }

  private async startChildren(): Promise<void> {
    const { root, plan, env, dev, terminal, signal } = this.options;
    const enginePort = plan.engine?.port || (plan.engine ? await pickPort() : 0);
    this.port = await this.pickWebPort();
    const envs = () => childEnvs(plan, env, { web: this.port, engine: enginePort }, this.services, dev);
    const make = (name: Name, onEnd?: (how: string, lastLine: string) => Promise<void>) => {
      const child = makeChild(name, root, { dev, host: plan.host, port: () => this.port, envs, terminal }, onEnd);
      this.children[name] = child;
      child.start();
    };
    if (plan.engine) make("engine");
    await migrate(ownStores(env, this.services)).catch((error) => {
      throw new Error(`The console's own schema cannot be brought up to date: ${reasonOf(error)}`);
    });
    signal.throwIfAborted();
    make("keeper");
    await this.building;
    signal.throwIfAborted();
    make("web", (how, lastLine) => this.onWebEnd(how, lastLine));
    if (dev) this.undo.push(reloadOnChange(root, this.children, terminal.say));
  }

  private async pickWebPort(): Promise<number> {
    const { plan, terminal } = this.options;
    const port = await portFrom(plan.port, plan.host);
    if (plan.port !== 0 && port !== plan.port) terminal.say(`Port ${plan.port} is taken: using ${port}.`);
    return port;
  }

  private async onWebEnd(how: string, lastLine: string): Promise<void> {
    this.webEnds += 1;
    this.webError = `${how}${lastLine ? `: ${lastLine}` : ""}`;
    // Somebody was faster than we between looking and listening.
    if (/EADDRINUSE/.test(lastLine)) this.port = await this.pickWebPort();
  }

  private async announce(): Promise<void> {
    const { plan, env, terminal, signal } = this.options;
    const until = Date.now() + READY_WITHIN_MS;
    const giveUp = () => signal.aborted || this.webEnds >= WEB_TRIES || Date.now() > until;
    const healthy = await untilHealthy(() => localUrl(plan.host, this.port), giveUp);
    signal.throwIfAborted();
    if (!healthy)
      throw new Error(`The web server does not come up (${this.webError || "no answer from /api/health"}).`);
    const url = plan.publicOrigin ?? localUrl(plan.host, this.port);
    const token = await issueSetupToken(ownStores(env, this.services).ownUrl);
    if (token) terminal.show(`Set-up: ${url}/setup#${token}`);
    terminal.say(`Ready: ${url}`);
  }
}

/** A refused connection to several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}
