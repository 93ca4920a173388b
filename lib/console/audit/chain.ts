import { hash } from "node:crypto";

/** What a row says, in the order in which it is hashed: each as the text that its column is in Postgres; null is null. */
export const CONTENT = [
  "at",
  "phase",
  "action",
  "actorId",
  "actorName",
  "actorRole",
  "address",
  "operationId",
  "target",
  "planHash",
  "reason",
  "acknowledged",
  "outcome",
  "detail",
  "requestId",
] as const;
export type AuditContent = Record<(typeof CONTENT)[number], string | null>;

/** Where a row stands. Hashes are hex; `previous` is the hash of the row before it in its chain. */
export type Link = { id: string; chain: string; place: number; previous: string };
/** A line of the chain over all chains: `hash` is the row's, `previous` the head before it. */
export type HeadLink = Link & { hash: string };

/** What stands before the first of a chain. */
export const NOTHING = "0".repeat(64);

/** The hash of a row: all that it says, where it stands, and what stands before it in its chain. */
export function rowHash(content: AuditContent, { chain, place, id, previous }: Link): string {
  return hashOf(["backstop audit row 1", chain, String(place), id, previous, ...values(content)]);
}

/** The head that a row leaves: of all rows up to it, in the order in which they were written. */
export function headHash({ id, chain, place, hash: own, previous }: HeadLink): string {
  return hashOf(["backstop audit head 1", id, chain, String(place), own, previous]);
}

/** Of the rows of before the chain, one after the other: `rolled` is what those before this one came to. */
export function rollOld(rolled: string, id: string, content: AuditContent): string {
  return hashOf(["backstop audit row 0", rolled, id, ...values(content)]);
}

const values = (content: AuditContent) => CONTENT.map((name) => content[name]);

/** SHA-256 over parts of which each says its length first: no byte can go from one part to the next unseen. */
function hashOf(parts: readonly (string | null)[]): string {
  const lengths = parts.map((part) => (part === null ? -1 : Buffer.byteLength(part, "utf8")));
  const bytes = Buffer.alloc(lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), 0));
  let at = 0;
  parts.forEach((part, index) => {
    at = bytes.writeInt32BE(lengths[index] ?? -1, at);
    if (part !== null) at += bytes.write(part, at, "utf8");
  });
  return hash("sha256", bytes, "hex");
}
