import type { Pool } from "pg";
import { z } from "zod";
import { maybe } from "@/lib/db/pg";
import type { Letter } from "@/lib/domain/dead-letter";
import { maskError } from "@/lib/domain/mask-error";
import { PAYLOAD_SHOWN_MAX, viewPayload } from "@/lib/domain/payload-view";
import { stringAt, tokens } from "@/lib/domain/source-json";
import { NotReadable } from "@/lib/queues/failed-reading";
import type { LetterReader } from "@/lib/queues/queue";
import { type Features, notReadable, readFeatures } from "./features";
import { findLetterSql, LetterRow } from "./letters-sql";
import { readLives } from "./lives";

const ERROR_SHOWN_MAX = 16_384;

/** Any that Postgres takes: letters are not ours, and their ids need not have the version bits of RFC 9562. */
const isUuid = (text: string) => z.guid().safeParse(text).success;

async function features(pool: Pool): Promise<Features> {
  const found = await readFeatures(pool);
  if (!found.letters) throw new NotReadable(notReadable("persistence_job_dead_letters"));
  return found;
}

type Detail = z.output<typeof LetterRow>;

function payloadOf(detail: Detail): Letter["payload"] {
  const nothing = { bytes: detail.payloadBytes, text: null, raw: null, masked: [] };
  if (detail.payload === null) {
    return {
      ...nothing,
      problem: `${detail.payloadBytes} bytes: too large to show. It is stored whole and requeued whole.`,
    };
  }
  const view = viewPayload(detail.payload);
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
      const detail = await maybe(pool, findLetterSql(found), LetterRow, [id, ERROR_SHOWN_MAX, PAYLOAD_SHOWN_MAX]);
      if (detail === null) return null;
      const parts = detail.payload === null ? null : tokens(detail.payload);
      const token = parts && stringAt(parts, "session_token");
      const secrets = token ? [token] : [];
      return {
        ...detail,
        error: maskError(detail.error, secrets),
        source: detail.source ?? (parts && stringAt(parts, "source")),
        impact: detail.impact ?? (parts && stringAt(parts, "session_impact")),
        idempotencyKey: parts && stringAt(parts, "idempotency.key"),
        payload: payloadOf(detail),
        lives: await readLives(pool, found, { ...detail, secrets }),
      };
    },
  };
}
