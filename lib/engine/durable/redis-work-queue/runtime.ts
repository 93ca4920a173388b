import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { z } from "zod";
import { BEAT as BEAT_LUA } from "./lua/beat";
import { LEAVE as LEAVE_LUA } from "./lua/leave";
import type { AnyQueue } from "./queue";
import { runScript, script, Text, word } from "./script";

const [BEAT, LEAVE] = [script(BEAT_LUA), script(LEAVE_LUA)];

/** A name that no other process has, and this one has once: what an earlier run left must not look like its own. */
export function newRuntime(): string {
  return `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
}

/** Says that the runtime lives, on the store's clock; answers the time, ms since 1970. */
export async function beat({ redis, keys }: AnyQueue, runtime: string): Promise<number> {
  return runScript(redis, BEAT, [keys.runtimes], [runtime], Text.pipe(z.coerce.number()));
}

/** A runtime that stops says so. `holds`: it left something, and somebody's start will bring it back. */
export async function leave({ redis, keys }: AnyQueue, runtime: string): Promise<"left" | "holds"> {
  return runScript(redis, LEAVE, [keys.processingOf(runtime), keys.runtimes], [runtime], word("left", "holds"));
}
