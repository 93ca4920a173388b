import type { Pool } from "pg";
import { z } from "zod";
import { maybe, ms, type Sql } from "@/lib/db/pg";
import type { Finding } from "@/lib/domain/preflight";
import { tokens } from "@/lib/domain/source-json";
import { utcClock } from "@/lib/domain/time";
import { NotReadable } from "@/lib/queues/failed-reading";
import { type Features, notReadable } from "./features";

/**
 * $1 letter id · $2 most bytes of a payload that is read. What the console can see itself of one letter, for a game
 * server that gives no facts: whether it is active, its payload, and newer work of the same character and kind.
 */
const ownSql = (features: Features): Sql => ({
  name: `persistence_letter_own_reading_${features.requeued}_${features.jobs}`,
  text: `select ${features.requeued ? ms("l.requeued_at") : "null::float8"} as requeued_ms,
      case when octet_length(l.payload) <= $2 then l.payload end as payload,
      ${
        features.jobs
          ? `(select count(*)::int from (select 1 from persistence_retry_jobs j where j.character_id = l.character_id
              and j.job_kind = l.job_kind and j.created_at > l.dead_lettered_at limit 100) as newer)`
          : "null::int"
      } as newer_jobs,
      (select count(*)::int from (select 1 from persistence_job_dead_letters n where n.character_id = l.character_id
          and n.job_kind = l.job_kind and n.dead_lettered_at > l.dead_lettered_at
          ${features.requeued ? "and n.requeued_at is null" : ""} limit 100) as newer) as newer_letters
      from persistence_job_dead_letters l where l.dead_letter_id = $1::uuid`,
});

const OwnRow = z.object({
  requeued_ms: z.number().nullable(),
  payload: z.string().nullable(),
  newer_jobs: z.number().nullable(),
  newer_letters: z.number(),
});

const PAYLOAD_READ_MAX = 4 * 1024 * 1024;

/** The finding that stops everything: the letter is not there, or not dead any more. Null: it is active. */
export function gone(found: boolean, requeuedMs: number | null): Finding | null {
  if (!found) {
    return {
      code: "letter_active",
      severity: "block",
      title: "This letter is not in the store any more",
      reason: "There is nothing to put back.",
      evidence: [],
    };
  }
  if (requeuedMs === null) return null;
  return {
    code: "letter_active",
    severity: "block",
    title: `Already requeued at ${utcClock(requeuedMs)}`,
    reason: "A letter is requeued once. What became of it is in the timeline.",
    evidence: [{ label: "requeued", value: utcClock(requeuedMs) }],
  };
}

/** Findings without the engine's facts. What cannot be told is in the one warning `no_facts`. */
export async function ownFindings(pool: Pool, features: Features, letterId: string): Promise<Finding[]> {
  if (!features.letters) throw new NotReadable(notReadable("persistence_job_dead_letters"));
  const own = await maybe(pool, ownSql(features), OwnRow, [letterId, PAYLOAD_READ_MAX]);
  const stop = gone(own !== null, own?.requeued_ms ?? null);
  if (stop || own === null) return stop ? [stop] : [];
  return [noFacts(), decodesAsJson(own.payload), newerWork(own.newer_jobs, own.newer_letters)];
}

function noFacts(): Finding {
  return {
    code: "no_facts",
    severity: "warn",
    title: "This game server gives no facts",
    reason:
      "Whether the write was applied already, whether the character exists and what is newer cannot be told from here.",
    evidence: [{ label: "routes", value: "the seed's two: inspect and requeue" }],
    whatToDo: "check the character's present state with the game's own tools first.",
    acknowledgement: "I checked the character's present state outside this desk.",
  };
}

function decodesAsJson(payload: string | null): Finding {
  const code = "payload_decodes";
  if (payload === null) {
    return {
      code,
      severity: "unknown",
      title: "The payload was not read",
      reason: "It is too large to look at from here.",
      evidence: [],
      acknowledgement: "The payload could not be checked.",
    };
  }
  if (tokens(payload) !== null) {
    return {
      code,
      severity: "ok",
      title: "Payload is JSON",
      reason: "The game server decides whether it decodes.",
      evidence: [],
    };
  }
  return {
    code,
    severity: "block",
    title: "The payload cannot be decoded",
    reason: "It is not JSON. The game server would refuse it.",
    evidence: [],
    whatToDo: "find out what wrote this payload. The saved bytes stay as they are.",
  };
}

function newerWork(jobs: number | null, letters: number): Finding {
  const code = "newer_work";
  if ((jobs ?? 0) + letters === 0)
    return { code, severity: "ok", title: "No newer work of this character and kind", evidence: [] };
  return {
    code,
    severity: "warn",
    title: "Newer work of the same character and kind",
    reason: "Whichever is applied last may stay.",
    evidence: [
      { label: "jobs", value: String(jobs ?? "not readable") },
      { label: "letters", value: String(letters) },
    ],
    whatToDo: "let the newer work finish, or requeue the oldest letter first.",
    acknowledgement: "Newer work of this character exists. I checked the order.",
  };
}
