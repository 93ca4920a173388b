import { z } from "zod";
import type { AuditFinding } from "@/lib/domain/audit-check";
import { headHash, NOTHING, rollOld, rowHash } from "./chain";
import type { ChainLine, StoredHead, StoredRow } from "./read-chain";

/** What the first row of the chain says of those before it. */
const Checkpoint = z.object({ rows: z.number(), hash: z.string() });

/** More than so many are counted and not named: whoever rewrote a whole table is told so by the first ones. */
const NAMED_MAX = 1_000;

/** Rows that do not fit their heads, heads whose rows are gone, and what is wrong beside them. */
export type Suspects = {
  bad: { row: StoredRow; head: StoredHead | null }[];
  missing: StoredHead[];
  findings: AuditFinding[];
  /** Beyond those that are named. */
  unnamed: number;
};

/** Goes through the lines of the audit in order and keeps what does not fit. */
export class ChainWalk {
  readonly suspects: Suspects = { bad: [], missing: [], findings: [], unnamed: 0 };
  rows = 0;
  /** The newest head that says what it says. */
  last: { id: string; head: string } | null = null;
  private before: { id: string; head: string } | null = null;
  private old = { rows: 0, lastId: "0", rolled: NOTHING };
  private readonly forged = new Set<string>();
  /** Rows since the last head that have none. */
  private readonly headless = new Set<string>();

  take({ id, row, head }: ChainLine): void {
    if (row) this.rows += 1;
    // Rows of before the chain: what they must come to stands in its first row.
    if (!head && !this.before && row && row.link === null) {
      this.old = { rows: this.old.rows + 1, lastId: id, rolled: rollOld(this.old.rolled, id, row.content) };
      return;
    }
    const first = head !== null && this.before === null;
    const trusted = head !== null && this.judgeHead(head, row);
    if (!row) {
      if (head && isHead(head)) this.keep(this.suspects.missing, head);
    } else if (!head || !(trusted ? fits(row, head) : isItself(row))) {
      if (!head) this.headless.add(id);
      this.keep(this.suspects.bad, { row, head: trusted ? head : null });
    } else if (trusted) {
      if (first) this.judgeOld(row);
      this.judgeLink(row, head);
    }
  }

  /** A head says what it says, and follows the one before it. */
  private judgeHead(head: StoredHead, row: StoredRow | null): boolean {
    const { id } = head;
    const opens = row?.content.action === "audit_checkpoint";
    const before = this.before ?? { id: opens ? String(BigInt(id) - 1n) : this.old.lastId, head: NOTHING };
    this.before = { id, head: head.head };
    if (!isHead(head))
      return this.forge(id, `The head of row ${id} was changed${row ? "" : ", and there is no such row"}.`);
    this.last = { id, head: head.head };
    const gap = BigInt(id) !== BigInt(before.id) + 1n;
    if (gap) this.nameGap(BigInt(before.id) + 1n, BigInt(id) - 1n);
    this.headless.clear();
    if (!gap && head.previous !== before.head && !this.forged.has(before.id)) {
      const sentence =
        before.head === NOTHING
          ? `The head of row ${id} is the first, and was not written as the first.`
          : `The heads of rows ${before.id} and ${id} do not follow each other: one of them was written anew.`;
      return this.forge(id, sentence);
    }
    return true;
  }

  /** Numbers are given without a gap: where one is, a row and its head were taken out. */
  private nameGap(from: bigint, to: bigint): void {
    if (to - from > 100n) {
      const sentence = `Rows ${from} to ${to} are gone, and so are their heads.`;
      this.say({ kind: "removed", id: String(from), sentence });
      return;
    }
    for (let id = from; id <= to; id += 1n) {
      if (this.headless.has(String(id))) continue;
      this.say({ kind: "removed", id: String(id), sentence: `Row ${id} is gone, and so is its head.` });
    }
  }

  private judgeLink(row: StoredRow, head: StoredHead): void {
    const expected = head.before?.hash ?? NOTHING;
    if (row.link?.previous === expected || (head.before && this.forged.has(head.before.id))) return;
    if (head.place > 1 && !head.before) return;
    this.say({ kind: "edited", id: row.id, sentence: `Row ${row.id} does not follow the row before it in its chain.` });
  }

  /** @param first the first row of the chain, as it was written */
  private judgeOld(first: StoredRow): void {
    const { rows, lastId, rolled } = this.old;
    const { action, detail } = first.content;
    const told = Checkpoint.parse(
      action === "audit_checkpoint" ? JSON.parse(detail ?? "{}") : { rows: 0, hash: NOTHING },
    );
    if (told.hash === rolled) return;
    const kind = rows === told.rows ? "edited" : rows < told.rows ? "removed" : "added";
    const how = { edited: "one was changed", removed: `${told.rows - rows} are gone`, added: "some were added" }[kind];
    const sentence = `Of the ${told.rows} rows of before the chain, which begins at row ${first.id}, ${how}.`;
    this.say({ kind, id: rows === 0 ? first.id : lastId, sentence });
  }

  private forge(id: string, sentence: string): false {
    this.forged.add(id);
    this.say({ kind: "edited", id, sentence });
    return false;
  }

  say(finding: AuditFinding): void {
    this.keep(this.suspects.findings, finding);
  }

  private keep<T>(list: T[], one: T): void {
    if (list.length < NAMED_MAX) list.push(one);
    else this.suspects.unnamed += 1;
  }
}

/** The head is of what its line says. */
const isHead = (head: StoredHead) => headHash(head) === head.head;

/** What a trusted head vouches for: the hash covers all that the row says, and its link. */
function fits(row: StoredRow, head: StoredHead): boolean {
  const { link } = row;
  if (!link || link.chain !== head.chain || link.place !== head.place || row.hash !== head.hash) return false;
  return rowHash(row.content, link) === head.hash;
}

/** Where the head was changed the row may still be what it says. */
const isItself = (row: StoredRow) => row.link !== null && rowHash(row.content, row.link) === row.hash;
