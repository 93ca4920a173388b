import type { Redis } from "ioredis";
import { readSessions, type SessionSeen } from "@/lib/db/sessions";
import type { Finding, Preflight } from "@/lib/domain/preflight";
import type { RpcClient } from "@/lib/internal-rpc/client";
import type { JournalFacts } from "@/lib/internal-rpc/journal-wire";
import { engineFinding, factsUnread, noEngine } from "@/lib/queues/engine-finding";
import { instantMs } from "@/lib/queues/instant";
import { worstFirst } from "@/lib/queues/worst-first";
import { type Cleanup, readCleanup } from "./cleanup";
import { readTime } from "./clock";
import { effectsOf } from "./effects";
import type { Seen } from "./envelope/fields";
import { type JournalLetter, readLetter } from "./envelope/letter";
import { findLetters } from "./find-letters";
import { causeFinding, type Late, readLate } from "./findings/cause";
import { ledgerFinding, transferFinding } from "./findings/ledger";
import { decodes, diedAgain, gone, poison } from "./findings/letter";
import { newerFinding, noFacts, onlineFinding } from "./findings/others";
import { sessionFinding } from "./findings/session";
import { storeFit } from "./findings/store";
import { offers } from "./offers";
import { readRequeued } from "./operations";

/** What a preflight reads from; `sessionActiveKey` null: the desk cannot look sessions up itself. */
export type PreflightSources = { redis: Redis; rpc: RpcClient | null; sessionActiveKey: string | null };

/** What the engine says of itself, and its facts; `unread`: it gives facts, and just now did not. */
type Told = { engine: Finding; facts: Map<string, JournalFacts> | null; readMs: number | null; unread?: Finding };

type Letter = { letter: JournalLetter; seen: Seen<Cleanup> };

/**
 * The preflight of some letters (at most 500): what the console reads itself, and the engine's facts where it gives
 * them. Writes nothing. Throws only when the list itself cannot be read.
 */
export async function preflight(sources: PreflightSources, letterIds: string[], actor: string): Promise<Preflight[]> {
  const { redis, rpc } = sources;
  const found = await findLetters(redis, letterIds);
  const letters = new Map(
    [...found].map(([id, { bytes }]): [string, Letter] => {
      const letter = readLetter(bytes);
      return [id, { letter, seen: readCleanup(letter.item) }];
    }),
  );
  const [readMs, sessions, told, fit, late, requeued] = await Promise.all([
    readTime(redis),
    readSeen(sources, letters),
    askEngine(
      rpc,
      [...letters.values()].flatMap(({ letter }) => (letter.odd === null ? [letter.id] : [])),
      actor,
    ),
    storeFit(redis),
    readLate(redis),
    readRequeued(redis, letterIds),
  ]);
  return letterIds.map((id, n) => {
    const found = letters.get(id);
    const base = { letterId: id, readMs: told.readMs ?? readMs, effectsCut: false, effects: null, expect: null };
    if (found === undefined) return { ...base, findings: worstFirst([gone(requeued[n] ?? null), told.engine]) };
    return judged(found, { ...base, told, fit, late, session: sessions.get(id) ?? null });
  });
}

/** By letter id, where the desk can look sessions up. */
async function readSeen({ redis, sessionActiveKey }: PreflightSources, letters: ReadonlyMap<string, Letter>) {
  if (sessionActiveKey === null) return new Map<string, SessionSeen>();
  const asked = [...letters].flatMap(([id, { seen }]) =>
    seen.kind === "read" && seen.value.token !== null ? [{ id, token: seen.value.token }] : [],
  );
  const found = await readSessions(
    redis,
    sessionActiveKey,
    asked.map(({ token }) => token),
  );
  return new Map(asked.map(({ id }, n) => [id, found[n] ?? ({ kind: "unread", why: "no_answer" } as const)]));
}

async function askEngine(rpc: RpcClient | null, letterIds: string[], actor: string): Promise<Told> {
  if (rpc === null) return { engine: noEngine(), facts: null, readMs: null };
  const info = await rpc.info(actor);
  const engine = engineFinding(info, Date.now());
  if (engine.severity === "block" || !offers(info, "preflight") || letterIds.length === 0) {
    return { engine, facts: null, readMs: null };
  }
  const answer = await rpc.journal.preflight(letterIds, actor);
  if (answer.kind === "ok") {
    const facts = new Map(answer.value.facts.map((each) => [each.dead_letter_id, each]));
    return { engine, facts, readMs: instantMs(answer.value.read_at) };
  }
  if (answer.kind === "not_offered") return { engine, facts: null, readMs: null };
  const unread = factsUnread(answer.kind === "refused" ? answer.message : answer.sentence, answer.code);
  return { engine, facts: null, readMs: null, unread };
}

type Read = Omit<Preflight, "findings"> & { told: Told; fit: Finding; late: Late; session: SessionSeen | null };

function judged({ letter, seen }: Letter, read: Read): Preflight {
  const { told, fit, late, session: seenSession, ...base } = read;
  const facts = told.facts?.get(letter.id) ?? null;
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
