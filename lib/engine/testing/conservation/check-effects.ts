import { groupBy } from "@/lib/domain/group";
import type { Book, Work } from "./book";
import type { Violation } from "./check-lives";
import type { CharacterRow, Snapshot } from "./snapshot";

/** What `newCharacter` makes. */
const BEGIN = { version: 7n, gold: 100n, x: "1.5" };
/** Items that each of the maker's rewards grants. */
const ITEMS_EACH = 2n;

/** Each key that the ledger names was written once and whole, and nothing else was written, by what the tables hold. */
export function checkEffects({ works }: Book, store: Snapshot): Violation[] {
  const violations: Violation[] = [];
  const byKey = new Map([...works.values()].map((work) => [work.key, work]));
  const ofCharacter = new Map<string, Work[]>();
  const rewards = groupBy(store.ledger, (row) => row.idempotency_key);
  for (const { idempotency_key: key, retry_job_id: id } of store.keys) {
    const work = byKey.get(key);
    if (!work) violations.push(`key ${key} of job ${id} is nobody's`);
    else ofCharacter.set(work.characterId, [...(ofCharacter.get(work.characterId) ?? []), work]);
    const due = work?.kind === "combat_rewards" ? 1 : 0;
    const there = rewards.get(key)?.length ?? 0;
    if (there !== due) violations.push(`key ${key} has ${there} rows in the reward ledger, and not ${due}`);
    rewards.delete(key);
  }
  for (const key of rewards.keys()) violations.push(`the reward ledger has key ${key}, which was never taken`);
  for (const row of store.characters) {
    for (const what of checkCharacter(row, ofCharacter.get(row.character_id) ?? []))
      violations.push(`character ${row.character_id}: ${what}`);
  }
  const active = new Set(store.transfers.filter(({ state }) => state === "active").map((row) => row.transfer_id));
  const meant = new Map<string, boolean>();
  const taken = new Set(store.keys.map((row) => row.idempotency_key));
  for (const { kind, mark, key } of works.values())
    if (kind === "transfer_activation") meant.set(mark, (meant.get(mark) ?? false) || taken.has(key));
  for (const [transfer, written] of meant)
    if (active.has(transfer) !== written) violations.push(`transfer ${transfer} is ${written ? "not " : ""}active`);
  return violations;
}

function* checkCharacter(row: CharacterRow, written: Work[]): Generator<string> {
  const marks = (kind: Work["kind"]) => written.filter((work) => work.kind === kind).map((work) => work.mark);
  const rewards = marks("combat_rewards");
  const gold = BEGIN.gold + rewards.reduce((sum, mark) => sum + BigInt(mark), 0n);
  if (BigInt(row.version) !== BEGIN.version + BigInt(written.length))
    yield `version ${row.version} after ${written.length} writes from ${BEGIN.version}`;
  if (BigInt(row.gold) !== gold) yield `gold ${row.gold}, and not ${gold}`;
  if (BigInt(row.items) !== ITEMS_EACH * BigInt(rewards.length))
    yield `${row.items} items of ${rewards.length} rewards`;
  const overwritten = [
    ["character_location", row.position_x, BEGIN.x],
    ["character_appearance", row.hair_color, null],
    ["character_equipment", row.main_hand, null],
    ["gameplay_state", row.experience, null],
  ] as const;
  for (const [kind, is, before] of overwritten) {
    const due = marks(kind);
    const fits = due.length === 0 ? is === before : is !== null && due.includes(is);
    if (!fits) yield `${kind} is ${is}, which none of its ${due.length} writes left`;
  }
}
