import type { z } from "zod";
import type { RpcMethod } from "./components";
import type { RpcResult } from "./result";

/** One signed call. `effect`: it may change something, so a lost answer is read back and nothing is sent again. */
export type Call<S extends z.ZodType> = {
  method: RpcMethod;
  route: string;
  schema: S;
  actor: string;
  effect?: boolean;
  idempotencyKey?: string;
  body?: Record<string, unknown>;
  signedMs?: number | undefined;
  anyVersion?: boolean;
};

/** Sends one call, newly signed; never rejects. */
export type Send = <S extends z.ZodType>(input: Call<S>) => Promise<RpcResult<z.output<S>>>;

export type EffectOptions = {
  /**
   * The instant to sign for, instead of the clock's. Give the intent's own time: then a process that was frozen between
   * intent and sending can no longer be accepted once the intent is older than the signature lives.
   */
  signedMs?: number;
};
