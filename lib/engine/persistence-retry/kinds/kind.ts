import type { z } from "zod";
import type { Queryable } from "@/lib/db/pg";
import type { FieldFact } from "@/lib/internal-rpc/wire";

/** What every payload says of itself. */
export type PayloadBase = { kind: string; characterId: string; realmId: string; zoneId: string | null };

/** What a write is known by, beside its payload. */
export type WriteIdentity = { idempotencyKey: string };

/**
 * One kind of persistence retry job. `apply` and `effects` are built from the same SQL expressions: what a preflight
 * shows is what a requeue writes.
 */
export type Kind<P extends PayloadBase = PayloadBase> = {
  name: P["kind"];
  /** `absolute` overwrites, `additive` adds, `guarded` changes a state only from an expected one. */
  semantics: "absolute" | "additive" | "guarded";
  /** From the wire's snake_case to the engine's own; numbers stay source text. */
  payload: z.ZodType<P>;
  /** Back to the wire's JSON, for a job that starts here. A job that came in keeps the text that it came as. */
  encode(payload: P): string;
  /**
   * Writes, inside the caller's transaction, and bumps the character's version. `superseded`: what it would write is
   * there already, and it has written nothing. Throws what the database throws, and CharacterMissing.
   */
  apply(db: Queryable, payload: P, identity: WriteIdentity): Promise<"applied" | "superseded">;
  /** What `apply` would write now, field by field; `now` and `after` null where the character does not exist. Reads only. */
  effects(db: Queryable, payload: P): Promise<FieldFact[]>;
};
