import type { Pool } from "pg";
import { z } from "zod";
import { maybe } from "@/lib/db/pg";
import type { Letter } from "@/lib/domain/dead-letter";
import { PAYLOAD_SHOWN_MAX } from "@/lib/domain/payload-view";
import { stringAt, tokens } from "@/lib/domain/source-json";
import { NotReadable } from "@/lib/queues/failed-reading";
import { maskPayload, shownLabel, shownText, viewPayload, viewWhole } from "@/lib/queues/masked";
import type { LetterReader } from "@/lib/queues/queue";
import { type Features, notReadable, readFeatures } from "./features";
import { findLetterSql, LetterRow } from "./letters-sql";
import { readLives } from "./lives";

const ERROR_SHOWN_MAX = 16_384;
/** Masked before it is cut: half of what is masked would be shown. */
const ERROR_READ_MAX = ERROR_SHOWN_MAX + 1_024;

/** Any that Postgres takes: letters are not ours, and their ids need not have the version bits of RFC 9562. */
const isUuid = (text: string) => z.guid().safeParse(text).success;

function readDetail(pool: Pool, found: Features, id: string): Promise<Detail | null> {
  return maybe(pool, findLetterSql(found), LetterRow, [id, ERROR_READ_MAX, PAYLOAD_SHOWN_MAX]);
}

async function features(pool: Pool): Promise<Features> {
  const found = await readFeatures(pool);
  if (!found.letters) throw new NotReadable(notReadable("persistence_job_dead_letters"));
  return found;
}

type Detail = z.output<typeof LetterRow>;

function payloadOf(detail: Detail, look: typeof viewPayload): Letter["payload"] {
  const nothing = { bytes: detail.payloadBytes, text: null, raw: null, masked: [] };
  if (detail.payload === null) {
    return {
      ...nothing,
      problem: `${detail.payloadBytes} bytes: too large to show. It is stored whole and requeued whole.`,
    };
  }
  const view = look(detail.payload);
  if (view === null)
    return { ...nothing, problem: "Not JSON, so nobody can tell where a secret stands in it: it is not shown." };
  return { bytes: detail.payloadBytes, ...view, problem: null };
}

/** A dead letter with everything its page shows. */
export function letterReader(pool: Pool): LetterReader {
  return {
    async findLetter(id) {
      if (!isUuid(id)) return null;
      const found = await features(pool);
      const detail = await readDetail(pool, found, id);
      if (detail === null) return null;
      const parts = detail.payload === null ? null : tokens(detail.payload);
      const secrets = (detail.payload !== null && maskPayload(detail.payload)?.secrets) || [];
      const label = <T extends string | null>(text: T) => shownLabel(text, secrets);
      return {
        ...detail,
        kind: label(detail.kind),
        subjectName: label(detail.subjectName),
        realmId: label(detail.realmId),
        zoneId: label(detail.zoneId),
        error: shownText(detail.error, secrets).slice(0, ERROR_SHOWN_MAX),
        source: label(detail.source ?? (parts && stringAt(parts, "source"))),
        impact: label(detail.impact ?? (parts && stringAt(parts, "session_impact"))),
        idempotencyKey: label(parts && stringAt(parts, "idempotency.key")),
        payload: payloadOf(detail, viewPayload),
        lives: await readLives(pool, found, { ...detail, secrets }),
      };
    },
    async revealLetter(id) {
      if (!isUuid(id)) return null;
      const detail = await readDetail(pool, await features(pool), id);
      return detail && { error: detail.error.slice(0, ERROR_SHOWN_MAX), payload: payloadOf(detail, viewWhole) };
    },
  };
}
