import type { Pool } from "pg";
import { z } from "zod";
import { ms, one, type Sql } from "@/lib/db/pg";
import type { Finding, Preflight } from "@/lib/domain/preflight";
import type { RpcClient } from "@/lib/internal-rpc/client";
import type { LetterFacts } from "@/lib/internal-rpc/wire";
import { effectsOf } from "./effects";
import { engineFinding, factsUnread, offers } from "./engine-finding";
import { readFeatures } from "./features";
import { findingsOf } from "./findings";
import { instantMs } from "./instant";
import { gone, ownFindings } from "./own-findings";
import { readRowColumns, rowDisagrees } from "./row-agrees";

const NOW: Sql = { name: "persistence_now", text: `select ${ms("clock_timestamp()")} as at_ms` };

/**
 * The preflight of some letters (at most 500): engine first, then facts where it gives them, else what the console can
 * read itself. Writes nothing. Throws only when the store itself cannot be read.
 */
export async function preflight(
  pool: Pool,
  rpc: RpcClient | null,
  letterIds: string[],
  actor: string,
): Promise<Preflight[]> {
  const { at_ms: readMs } = await one(pool, NOW, z.object({ at_ms: z.number() }));
  if (rpc === null) return Promise.all(letterIds.map((id) => withoutFacts(pool, id, readMs, notConfigured())));
  const info = await rpc.info(actor);
  const engine = engineFinding(info, Date.now());
  if (engine.severity === "block" || !offers(info, "preflight")) {
    return Promise.all(letterIds.map((id) => withoutFacts(pool, id, readMs, engine)));
  }
  const answer = await rpc.preflight(letterIds, actor);
  if (answer.kind === "ok") {
    const facts = new Map(answer.value.facts.map((fact) => [fact.dead_letter_id, fact]));
    const columns = await readRowColumns(pool, letterIds);
    return letterIds.map((id) => {
      const own = facts.get(id);
      const disagrees = rowDisagrees(columns.get(id), own?.job ?? null);
      return withFacts(id, own, instantMs(answer.value.read_at), disagrees ? [disagrees, engine] : [engine]);
    });
  }
  const unread =
    answer.kind === "not_offered"
      ? engine
      : factsUnread(answer.kind === "refused" ? answer.message : answer.sentence, answer.code);
  return Promise.all(
    letterIds.map((id) => withoutFacts(pool, id, readMs, engine, unread === engine ? undefined : unread)),
  );
}

function notConfigured(): Finding {
  return {
    code: "engine",
    severity: "block",
    title: "No engine is configured",
    reason: "A requeue goes through the game server's signed endpoint, and this desk does not know where that is.",
    evidence: [],
    whatToDo: "set BACKSTOP_ENGINE_URL and BACKSTOP_RPC_KEYS.",
  };
}

function withFacts(letterId: string, facts: LetterFacts | undefined, readMs: number, others: Finding[]): Preflight {
  const base = { letterId, readMs, effectsCut: facts?.fields_cut ?? false };
  if (facts === undefined || !facts.found || facts.requeued !== null) {
    const requeuedMs = facts?.requeued ? instantMs(facts.requeued.at) : null;
    const stop = gone(facts?.found ?? false, requeuedMs);
    return { ...base, findings: [...(stop ? [stop] : []), ...others], effects: null, expect: null };
  }
  return {
    ...base,
    findings: sorted([...findingsOf(facts, readMs), ...others]),
    effects: effectsOf(facts),
    expect: { characterVersion: facts.character?.version ?? null },
  };
}

async function withoutFacts(
  pool: Pool,
  letterId: string,
  readMs: number,
  engine: Finding,
  unread?: Finding,
): Promise<Preflight> {
  const own = await ownFindings(pool, await readFeatures(pool), letterId);
  // With a reason of its own why facts are missing, the general warning would say the same thing twice.
  const silent = unread !== undefined || engine.severity === "block";
  const findings = own.filter((finding) => !(silent && finding.code === "no_facts"));
  return {
    letterId,
    readMs,
    findings: sorted([...findings, ...(unread ? [unread] : []), engine]),
    effects: null,
    effectsCut: false,
    expect: null,
  };
}

const ORDER = ["block", "warn", "unknown", "ok", "not_configured"];

function sorted(findings: Finding[]): Finding[] {
  return findings.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}
