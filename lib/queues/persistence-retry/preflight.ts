import type { Pool } from "pg";
import { z } from "zod";
import { ms, one, type Sql } from "@/lib/db/pg";
import type { Finding, Preflight } from "@/lib/domain/preflight";
import type { RpcClient } from "@/lib/internal-rpc/client";
import type { LetterFacts, PreflightAnswer } from "@/lib/internal-rpc/wire";
import { engineFinding, factsUnread, noEngine } from "@/lib/queues/engine-finding";
import { NotReadable } from "@/lib/queues/failed-reading";
import { instantMs } from "@/lib/queues/instant";
import { worstFirst } from "@/lib/queues/worst-first";
import { effectsOf } from "./effects";
import { type Features, notReadable, readFeatures } from "./features";
import { findingsOf } from "./findings";
import { offers } from "./offers";
import { type OwnEvidence, readOwnEvidence } from "./own-evidence";
import { gone, ownFindings } from "./own-findings";
import { type RowColumns, readRowColumns, rowDisagrees } from "./row-agrees";
import type { SessionSource } from "./session-finding";
import { readOwnView, storeFit } from "./store-fit";

const NOW: Sql = { name: "persistence_now", text: `select ${ms("clock_timestamp()")} as at_ms` };

/** What a preflight reads from; null: not configured. */
export type PreflightSources = SessionSource & { pool: Pool; rpc: RpcClient | null };

type Facts = { answer: z.output<typeof PreflightAnswer>; columns: Map<string, RowColumns> };

/**
 * The preflight of some letters (at most 500): what the console reads itself, and the engine's facts where it gives
 * them. Writes nothing. Throws only when the store itself cannot be read.
 */
export async function preflight(sources: PreflightSources, letterIds: string[], actor: string): Promise<Preflight[]> {
  const { pool, rpc } = sources;
  const { at_ms: readMs } = await one(pool, NOW, z.object({ at_ms: z.number() }));
  const features = await readFeatures(pool);
  if (!features.letters) throw new NotReadable(notReadable("persistence_job_dead_letters"));
  const [own, view, told] = await Promise.all([
    readOwnEvidence(pool, sources, features, letterIds),
    readOwnView(pool),
    askEngine(pool, rpc, letterIds, actor),
  ]);
  const fit = storeFit(told.facts?.answer.store ?? null, view);
  if (told.facts === null) {
    return Promise.all(letterIds.map((id) => withoutFacts(pool, features, id, readMs, own(id), fit, told)));
  }
  const { answer, columns } = told.facts;
  const facts = new Map(answer.facts.map((fact) => [fact.dead_letter_id, fact]));
  return letterIds.map((id) => {
    const fact = facts.get(id);
    const disagrees = rowDisagrees(columns.get(id), fact?.job ?? null);
    const others = disagrees ? [disagrees, told.engine] : [told.engine];
    return withFacts(id, fact, answer, own(id), fit, others);
  });
}

/** What the engine says of itself, and its facts; `unread`: it gives facts, and just now did not. */
type Told = { engine: Finding; facts: Facts | null; unread?: Finding };

async function askEngine(pool: Pool, rpc: RpcClient | null, letterIds: string[], actor: string): Promise<Told> {
  if (rpc === null) return { engine: noEngine(), facts: null };
  const info = await rpc.info(actor);
  const engine = engineFinding(info, Date.now());
  if (engine.severity === "block" || !offers(info, "preflight")) return { engine, facts: null };
  const answer = await rpc.preflight(letterIds, actor);
  if (answer.kind === "ok") {
    return { engine, facts: { answer: answer.value, columns: await readRowColumns(pool, letterIds) } };
  }
  if (answer.kind === "not_offered") return { engine, facts: null };
  const unread = factsUnread(answer.kind === "refused" ? answer.message : answer.sentence, answer.code);
  return { engine, facts: null, unread };
}

function withFacts(
  letterId: string,
  facts: LetterFacts | undefined,
  { read_at, ledger }: Pick<Facts["answer"], "read_at" | "ledger">,
  own: OwnEvidence,
  fit: Finding,
  others: Finding[],
): Preflight {
  const readMs = instantMs(read_at);
  const base = { letterId, readMs, effectsCut: facts?.fields_cut ?? false };
  if (facts === undefined || !facts.found || facts.requeued !== null) {
    const requeuedMs = facts?.requeued ? instantMs(facts.requeued.at) : null;
    const stop = gone(facts?.found ?? false, requeuedMs);
    return { ...base, findings: worstFirst([...(stop ? [stop] : []), ...others]), effects: null, expect: null };
  }
  return {
    ...base,
    findings: worstFirst([...findingsOf(facts, readMs, ledger ?? null), ...own.findings, fit, ...others]),
    effects: effectsOf(facts),
    expect: {
      characterVersion: facts.character?.version ?? null,
      ...(own.session ? { session: own.session } : {}),
    },
  };
}

async function withoutFacts(
  pool: Pool,
  features: Features,
  letterId: string,
  readMs: number,
  own: OwnEvidence,
  fit: Finding,
  { engine, unread }: Told,
): Promise<Preflight> {
  const seen = await ownFindings(pool, features, letterId);
  // With a reason of its own why facts are missing, the general warning would say the same thing twice.
  const silent = unread !== undefined || engine.severity === "block";
  const findings = seen.filter((finding) => !(silent && finding.code === "no_facts"));
  const active = !findings.some(({ code }) => code === "letter_active");
  return {
    letterId,
    readMs,
    findings: worstFirst([...findings, ...(active ? [...own.findings, fit] : []), ...(unread ? [unread] : []), engine]),
    effects: null,
    effectsCut: false,
    expect: null,
  };
}
