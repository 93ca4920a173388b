import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import { type ZodType, z } from "zod";
import { CLOCK } from "./lua/clock";

/** One move of the queue. Its text opens with its keys, arguments and answers. */
export type Script = { lua: string; sha: string };

export type ScriptArg = string | number | Buffer;

/** A script, behind the clock and the others that it builds on. */
export function script(...parts: string[]): Script {
  const lua = [CLOCK, ...parts].join("");
  return { lua, sha: createHash("sha1").update(lua).digest("hex") };
}

/** Runs it; its answer as it came, bulk strings as bytes. Throws what Redis says, and when the connection is lost. */
export async function runScript<T>(
  redis: Redis,
  { lua, sha }: Script,
  keys: readonly string[],
  args: readonly ScriptArg[],
  answer: ZodType<T>,
): Promise<T> {
  const rest = [keys.length, ...keys, ...args] as const;
  try {
    return answer.parse(await redis.callBuffer("EVALSHA", sha, ...rest));
  } catch (error) {
    // The server does not know it yet: nothing was run, so this is no second try.
    if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
    return answer.parse(await redis.callBuffer("EVAL", lua, ...rest));
  }
}

export const Bytes = z.instanceof(Buffer);

/** A bulk string that is text. */
export const Text = Bytes.transform((bytes) => bytes.toString());

/** One of these words. */
export const word = <const W extends string>(...words: [W, ...W[]]) => Text.pipe(z.enum(words));
