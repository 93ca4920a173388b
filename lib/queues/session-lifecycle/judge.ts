import type { Seen } from "@/lib/db/json-fields";
import type { SessionSeen } from "@/lib/db/sessions";
import type { Finding, Preflight } from "@/lib/domain/preflight";
import type { JournalFacts } from "@/lib/internal-rpc/journal-wire";
import { instantMs } from "@/lib/queues/instant";
import { worstFirst } from "@/lib/queues/worst-first";
import type { Cleanup } from "./cleanup";
import { effectsOf } from "./effects";
import type { JournalLetter } from "./envelope/letter";
import { causeFinding, type Late } from "./findings/cause";
import { ledgerFinding, transferFinding } from "./findings/ledger";
import { decodes, diedAgain, gone, poison } from "./findings/letter";
import { newerFinding, noFacts, onlineFinding } from "./findings/others";
import { sessionFinding } from "./findings/session";

/** What the engine says of itself, and its facts; `unread`: it gives facts, and just now did not. */
export type Told = {
  engine: Finding;
  facts: Map<string, JournalFacts> | null;
  readMs: number | null;
  unread?: Finding;
};

export type ReadLetter = { letter: JournalLetter; seen: Seen<Cleanup> };

/** What was read beside the letter. `session` null: the desk cannot look it up, or the letter names none. */
export type Beside = { readMs: number; told: Told; fit: Finding; late: Late; session: SessionSeen | null };

/** All that was read of one letter as its preflight. */
export function judge(
  { letter, seen }: ReadLetter,
  { readMs, told, fit, late, session: seenSession }: Beside,
): Preflight {
  const base = { letterId: letter.id, readMs: told.readMs ?? readMs, effectsCut: false, effects: null, expect: null };
  const facts = told.facts?.get(letter.id) ?? null;
  if (facts !== null && !facts.found) {
    const by = facts.requeued && { at: facts.requeued.at, atMs: instantMs(facts.requeued.at) };
    const requeued = by && { ...by, entryId: facts.requeued?.entry_id ?? null, operationId: null, actor: null };
    return { ...base, findings: worstFirst([gone(requeued), told.engine]) };
  }
  const decoded = decodes(letter, seen, facts);
  const own = [decoded, ...poison(letter), diedAgain(letter), causeFinding(letter.error, late), fit, told.engine];
  if (decoded.severity === "block" || seen.kind === "odd") return { ...base, findings: worstFirst(own) };
  const said = seen.value;
  const ledger = ledgerFinding(said, facts ? (facts.resume_ledger ?? "unread") : told.unread ? "unread" : "untold");
  const session = sessionFinding(said, seenSession, facts, base.readMs);
  const silent = told.unread !== undefined || told.engine.severity === "block";
  const asked = facts
    ? [onlineFinding(facts, base.readMs), newerFinding(facts)]
    : [...(told.unread ? [told.unread] : []), ...(silent ? [] : [noFacts()])];
  // One silence is acknowledged once: the session says already that Redis does not answer.
  const twice = session.finding.severity === "unknown" && fit.severity === "unknown";
  return {
    ...base,
    findings: worstFirst([
      session.finding,
      ledger.finding,
      transferFinding(said),
      ...asked,
      ...(twice ? own.filter((each) => each !== fit) : own),
    ]),
    effects: facts && effectsOf(facts),
    effectsCut: facts?.fields_cut ?? false,
    expect: facts && {
      ...(session.session ? { session: session.session } : {}),
      ...(ledger.resumeLedger ? { resumeLedger: ledger.resumeLedger } : {}),
    },
  };
}
