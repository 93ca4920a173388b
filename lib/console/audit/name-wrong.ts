import type { AuditFinding } from "@/lib/domain/audit-check";
import { type Link, NOTHING, rowHash } from "./chain";
import type { StoredHead, StoredRow } from "./read-chain";
import type { Suspects } from "./walk";

/** So many rows are tried in so many places: what was moved is found by what it hashes to there. */
const TRIED_MAX = 200;

/** Says of each row that does not fit its head what was done to it: moved from another place, or changed. */
export function nameWrong({ bad, missing }: Suspects): { findings: AuditFinding[]; found: Set<string> } {
  const heads = [...bad.flatMap(({ head }) => head ?? []), ...missing].slice(0, TRIED_MAX);
  const gone = new Set(missing.map(({ id }) => id));
  /** Missing ones that stand somewhere else. */
  const found = new Set<string>();
  const findings = bad.map(({ row, head }, at): AuditFinding => {
    const { id } = row;
    const written = at < TRIED_MAX ? heads.find((each) => rowHash(row.content, linkOf(each)) === each.hash) : undefined;
    if (written && written.id === id) {
      return { kind: "edited", id, sentence: `Row ${id} was changed: ${movedColumns(row, written).join(", ")}.` };
    }
    if (written) {
      if (gone.has(written.id)) found.add(written.id);
      const sentence = `Row ${id} holds what was written as row ${written.id}: it was put in its place.`;
      return { kind: gone.has(written.id) ? "edited" : "swapped", id, sentence };
    }
    if (head === null) {
      const sentence = `Row ${id} has no head that vouches for it: the head was taken away, or the row was put in by another hand.`;
      return { kind: "added", id, sentence };
    }
    return { kind: "edited", id, sentence: `Row ${id} was changed: it does not say what was written.` };
  });
  return { findings, found };
}

/** Where a row stood when its head was written. */
const linkOf = ({ id, chain, place, before }: StoredHead): Link => ({
  id,
  chain,
  place,
  previous: before?.hash ?? NOTHING,
});

function movedColumns({ link, hash }: StoredRow, head: StoredHead): string[] {
  const { chain, place, previous } = linkOf(head);
  const columns: [string, boolean][] = [
    ["its chain", link?.chain !== chain],
    ["its place", link?.place !== place],
    ["the hash before it", link?.previous !== previous],
    ["its hash", hash !== head.hash],
  ];
  return columns.flatMap(([name, differs]) => (differs ? [name] : []));
}
