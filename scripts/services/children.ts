import { Child, type ChildOptions } from "./child";
import type { ChildEnvs } from "./child-env";
import type { Terminal } from "./terminal";

export type Name = "web" | "engine" | "keeper";

const PRELOAD = ["--import", "./scripts/services/end-with-parent.mjs"];
/** The web's and the keeper's answers are short; the engine's claims may be in the middle of a write. */
const GRACE_MS: Record<Name, number> = { web: 4_000, keeper: 4_000, engine: 10_000 };

/** The three processes, not yet started. `host` and `port` are asked at each start of the web. */
export function makeChild(
  name: Name,
  root: string,
  options: { dev: boolean; host: string; port: () => number; envs: () => ChildEnvs; terminal: Terminal },
  onEnd?: ChildOptions["onEnd"],
): Child {
  const { dev, host, port, envs, terminal } = options;
  const programs: Record<Name, () => string[]> = {
    web: () => ["node_modules/next/dist/bin/next", dev ? "dev" : "start", "-H", host, "-p", String(port())],
    engine: () => ["--import", "tsx", "lib/engine/main.ts"],
    keeper: () => ["--import", "tsx", "lib/keeper/main.ts"],
  };
  return new Child({
    name,
    cwd: root,
    args: () => [...PRELOAD, ...programs[name]()],
    env: () => envs()[name],
    graceMs: GRACE_MS[name],
    onLine: terminal.child(name),
    onEnd,
    log: terminal.say,
  });
}

/**
 * Ends the children in order: the web first, so that no click comes in any more, with the keeper; then the engine,
 * which gives back what it has claimed.
 */
export async function stopChildren(children: Partial<Record<Name, Child>>): Promise<void> {
  await Promise.all([children.web?.stop(), children.keeper?.stop()]);
  await children.engine?.stop();
}
