import { z } from "zod";
import { many, type Queryable, type Sql } from "@/lib/db/pg";
import type { AuditCheck, AuditFinding } from "@/lib/domain/audit-check";
import { nameWrong } from "./name-wrong";
import { readAround, readChain, readLast, type StoredHead } from "./read-chain";
import { ChainWalk } from "./walk";

/** A head that was seen outside the heads themselves, and where: `the check of 2026-11-14 02:00:04 UTC`, `the log`. */
export type KnownHead = { id: string; head: string; from: string };

const CHECKED: Sql = {
  name: "audit_checked_heads",
  text: `select last_id::text as id, encode(head, 'hex') as head,
      'the check of ' || to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC' as from
    from backstop.audit_checks where head is not null order by check_id`,
};
const CheckedRow = z.object({ id: z.string(), head: z.string(), from: z.string() });

/**
 * Looks at every row of the audit, by the chain of its operation and by the chain over all, and at every head that an
 * earlier check (or `known`: the log) has seen. Writes nothing. Rows that come meanwhile are left to the next look.
 */
export async function verifyAudit(db: Queryable, known: readonly KnownHead[] = []): Promise<AuditCheck> {
  const seen = new Map<string, KnownHead[]>();
  for (const each of [...(await many(db, CHECKED, CheckedRow)), ...known]) {
    seen.set(each.id, [...(seen.get(each.id) ?? []), each]);
  }
  const last = await readLast(db);
  const upTo = BigInt(last.row) > BigInt(last.head) ? last.row : last.head;
  const walk = new ChainWalk();
  for await (const lines of readChain(db, upTo)) {
    for (const line of lines) {
      walk.take(line);
      if (line.head) judgeSeen(walk, line.head, seen);
    }
  }
  const findings = [...walk.suspects.findings, ...(await nameAll(db, walk, last.row)), ...unseen(seen, walk.last)];
  findings.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : BigInt(a.id) > BigInt(b.id) ? 1 : 0));
  return {
    rows: walk.rows,
    lastId: walk.last?.id ?? null,
    head: walk.last?.head ?? null,
    wrong: findings.length + walk.suspects.unnamed,
    findings,
  };
}

/** What was seen of a head elsewhere must be what it is. */
function judgeSeen(walk: ChainWalk, { id, head }: StoredHead, seen: Map<string, KnownHead[]>): void {
  const other = seen.get(id)?.find((each) => each.head !== head);
  seen.delete(id);
  if (!other) return;
  walk.say({ kind: "edited", id, sentence: `The head of row ${id} is not the one that ${other.from} saw.` });
}

/** Heads that were seen and are there no more. */
function unseen(seen: Map<string, KnownHead[]>, last: ChainWalk["last"]): AuditFinding[] {
  const end = BigInt(last?.id ?? 0);
  return [...seen].map(([id, [known]]) => {
    const cut = BigInt(id) > end;
    const where = cut ? `the audit ends at row ${end}` : "it is gone";
    return {
      kind: cut ? "truncated" : "removed",
      id,
      sentence: `Row ${id} was there for ${known?.from}, and ${where}.`,
    };
  });
}

async function nameAll(db: Queryable, { suspects }: ChainWalk, lastRow: string): Promise<AuditFinding[]> {
  const { findings, found } = nameWrong(suspects);
  const gone = suspects.missing.filter(({ id }) => !found.has(id));
  const around = gone.length > 0 ? await readAround(db, gone) : [];
  const missing = gone.map((head, at): AuditFinding => {
    const { id, chain, place } = head;
    const cut = BigInt(id) > BigInt(lastRow) || (around[at]?.before === true && !around[at]?.after);
    const sentence = cut
      ? `Row ${id} is gone: chain ${chain} was written up to place ${place} or further, and was cut off before it.`
      : `Row ${id} is gone: it stood at place ${place} of chain ${chain}.`;
    return { kind: cut ? "truncated" : "removed", id, sentence };
  });
  return [...findings, ...missing];
}
