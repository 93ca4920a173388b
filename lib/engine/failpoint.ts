import { setTimeout as sleep } from "node:timers/promises";
import { failpointsText } from "@/lib/config-engine";
import { log } from "./log";

/**
 * Moments that a test can stop the engine at: `BACKSTOP_FAILPOINTS="settle.before_commit=kill,apply.after=pause:500"`.
 * `kill` ends this process as SIGKILL does, `freeze` stops it until SIGCONT, `pause:N` waits N ms, `throw` throws.
 * `@n` acts at the nth time only (`kill@3`), else at every time. Unset, `failpoint` does nothing at all.
 */
export type Failpoint =
  | "queue.after_insert"
  | "claim.after"
  | "apply.before"
  | "apply.after"
  | "settle.before_commit"
  | "settle.after_commit"
  | "failure.before_commit"
  | "requeue.before_commit"
  | "requeue.after_commit";

/** The same, of the durable queue over Redis lists: what is between two of its scripts. */
export type WorkQueueFailpoint =
  | "work_queue.append_before"
  | "work_queue.append_after"
  | "work_queue.take_after"
  | "work_queue.settle_before"
  | "work_queue.settle_after"
  | "work_queue.tick_after_step"
  | "work_queue.return_before_step"
  | "work_queue.return_after_step"
  | "work_queue.requeue_before"
  | "work_queue.requeue_after";

/** The same, of the session lifecycle journal. */
export type JournalFailpoint = "cleanup.after_append" | "cleanup.before_effect";

type Setting = { action: string; at: number | null; hits: number };

const settings = parseFailpoints(failpointsText());

/** Waits, stops or throws here when a test has said so. */
export const failpoint: (name: Failpoint | WorkQueueFailpoint | JournalFailpoint) => Promise<void> | void =
  settings.size === 0 ? () => {} : hit;

export function parseFailpoints(text: string): Map<string, Setting> {
  const found = new Map<string, Setting>();
  for (const part of text.split(",").filter(Boolean)) {
    const match = /^([a-z_.]+)=(kill|freeze|throw|pause:\d+)(?:@(\d+))?$/.exec(part.trim());
    if (!match) throw new Error(`BACKSTOP_FAILPOINTS: "${part}" is not name=action[@n]`);
    const [, name = "", action = "", at] = match;
    found.set(name, { action, at: at === undefined ? null : Number(at), hits: 0 });
  }
  return found;
}

async function hit(name: string): Promise<void> {
  const setting = settings.get(name);
  if (!setting) return;
  setting.hits += 1;
  if (setting.at !== null && setting.hits !== setting.at) return;
  log("failpoint", { name, action: setting.action });
  if (setting.action === "kill") process.kill(process.pid, "SIGKILL");
  if (setting.action === "freeze") process.kill(process.pid, "SIGSTOP");
  if (setting.action === "throw") throw new Error(`failpoint ${name}`);
  const pauseMs = /^pause:(\d+)$/.exec(setting.action)?.[1];
  // After a signal to ourselves a moment passes until it arrives.
  await sleep(pauseMs === undefined ? 50 : Number(pauseMs));
}
