import type { Redis } from "ioredis";
import { readSessions, type SessionSeen } from "@/lib/db/sessions";
import type { Preflight } from "@/lib/domain/preflight";
import type { RpcClient } from "@/lib/internal-rpc/client";
import { engineFinding, factsUnread, noEngine } from "@/lib/queues/engine-finding";
import { instantMs } from "@/lib/queues/instant";
import { worstFirst } from "@/lib/queues/worst-first";
import { readCleanup } from "./cleanup";
import { readTime } from "./clock";
import { readLetter } from "./envelope/letter";
import { findLetters } from "./find-letters";
import { readLate } from "./findings/cause";
import { gone } from "./findings/letter";
import { storeFit } from "./findings/store";
import { judge, type ReadLetter, type Told } from "./judge";
import { offers } from "./offers";
import { readRequeued } from "./operations";

/** What a preflight reads from; `sessionActiveKey` null: the desk cannot look sessions up itself. */
export type PreflightSources = { redis: Redis; rpc: RpcClient | null; sessionActiveKey: string | null };

/**
 * The preflight of some letters (at most 500): what the console reads itself, and the engine's facts where it gives
 * them. Writes nothing. Throws only when the list itself cannot be read.
 */
export async function preflight(sources: PreflightSources, letterIds: string[], actor: string): Promise<Preflight[]> {
  const { redis, rpc } = sources;
  const found = await findLetters(redis, letterIds);
  const letters = new Map(
    [...found].map(([id, { bytes }]): [string, ReadLetter] => {
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
    if (found !== undefined) return judge(found, { readMs, told, fit, late, session: sessions.get(id) ?? null });
    const nothing = { effectsCut: false, effects: null, expect: null };
    return { letterId: id, readMs, findings: worstFirst([gone(requeued[n] ?? null), told.engine]), ...nothing };
  });
}

/** By letter id, where the desk can look sessions up. */
async function readSeen({ redis, sessionActiveKey }: PreflightSources, letters: ReadonlyMap<string, ReadLetter>) {
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
