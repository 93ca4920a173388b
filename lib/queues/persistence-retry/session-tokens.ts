import type { Pool } from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";
import { stringAt, tokens } from "@/lib/domain/source-json";

/** A payload above it is not read for its token. Bytes. */
const PAYLOAD_READ_MAX = 4 * 1024 * 1024;
/** What the payloads in memory at a time may come to, and how many. Bytes. */
const CHUNK_BYTES = 8 * 1024 * 1024;
const CHUNK = 50;

/** $1 letter ids. */
const SIZES: Sql = {
  name: "persistence_letter_payload_sizes",
  text: `select dead_letter_id::text as id, octet_length(payload) as bytes from persistence_job_dead_letters
    where dead_letter_id = any($1::uuid[])`,
};

/** $1 letter ids. */
const PAYLOADS: Sql = {
  name: "persistence_letter_payloads",
  text: "select dead_letter_id::text as id, payload from persistence_job_dead_letters where dead_letter_id = any($1::uuid[])",
};

/** What a payload says of its session. `token` must not leave the code that looks it up. */
export type SessionSaid =
  | { kind: "token"; token: string; impact: string | null }
  | { kind: "none" }
  | { kind: "too_large" }
  | { kind: "not_json" };

/** By letter id; a letter that is not there is not named. */
export async function readSessionTokens(pool: Pool, letterIds: string[]): Promise<Map<string, SessionSaid>> {
  const said = new Map<string, SessionSaid>();
  const sizes = await many(pool, SIZES, z.object({ id: z.string(), bytes: z.number() }), [letterIds]);
  let chunk: string[] = [];
  let bytes = 0;
  const read = async () => {
    const rows = await many(pool, PAYLOADS, z.object({ id: z.string(), payload: z.string() }), [chunk]);
    for (const row of rows) said.set(row.id, sessionOf(row.payload));
    [chunk, bytes] = [[], 0];
  };
  for (const row of sizes) {
    if (row.bytes > PAYLOAD_READ_MAX) {
      said.set(row.id, { kind: "too_large" });
      continue;
    }
    if (chunk.length > 0 && (chunk.length === CHUNK || bytes + row.bytes > CHUNK_BYTES)) await read();
    chunk.push(row.id);
    bytes += row.bytes;
  }
  if (chunk.length > 0) await read();
  return said;
}

function sessionOf(payload: string): SessionSaid {
  const read = tokens(payload);
  if (read === null) return { kind: "not_json" };
  // Of a key that occurs twice the last value counts, as for the engine.
  const last = read.toReversed();
  const token = stringAt(last, "session_token");
  return token ? { kind: "token", token, impact: stringAt(last, "session_impact") } : { kind: "none" };
}
