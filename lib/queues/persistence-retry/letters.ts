import type { Pool } from "pg";
import { z } from "zod";
import { many, maybe, one } from "@/lib/db/pg";
import type { Letter } from "@/lib/domain/dead-letter";
import { maskError } from "@/lib/domain/mask-error";
import { PAYLOAD_SHOWN_MAX, viewPayload } from "@/lib/domain/payload-view";
import { stringAt, tokens } from "@/lib/domain/source-json";
import { decodeCursor, pageOf } from "@/lib/queues/cursor";
import { NotReadable } from "@/lib/queues/failed-reading";
import type { LetterFilter, LetterReader } from "@/lib/queues/queue";
import { type Features, notReadable, readFeatures } from "./features";
import { listKinds } from "./kinds";
import { countLettersSql, findLetterSql, LetterDetailRow, LetterRow, listLettersSql } from "./letters-sql";
import { readLives } from "./lives";

/** Counting stops here and says so: an exact count of ten million rows would cost what the page is worth. */
const COUNT_MAX = 100_000;
const ERROR_SHOWN_MAX = 16_384;

/** Any that Postgres takes: letters are not ours, and their ids need not have the version bits of RFC 9562. */
const isUuid = (text: string) => z.guid().safeParse(text).success;

function values(filter: LetterFilter): unknown[] {
  const text = filter.text?.trim() || null;
  const id = text !== null && isUuid(text);
  return [
    filter.states?.length ? filter.states : null,
    filter.kind ?? null,
    filter.subject ?? null,
    filter.realm ?? null,
    id ? text : null,
    id ? null : text,
  ];
}

async function features(pool: Pool): Promise<Features> {
  const found = await readFeatures(pool);
  if (!found.letters) throw new NotReadable(notReadable("persistence_job_dead_letters"));
  return found;
}

type Detail = z.output<typeof LetterDetailRow>;

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

/** The dead letters: lists by keyset, newest first, without payloads; one letter with everything its page shows. */
export function letterReader(pool: Pool): LetterReader {
  return {
    async listLetters(filter, { after, before, limit }) {
      const cursor = decodeCursor(before) ?? decodeCursor(after);
      const backwards = cursor !== null && decodeCursor(before) !== null;
      const found = await many(pool, listLettersSql(await features(pool), backwards), LetterRow, [
        ...values(filter),
        ...(cursor ?? [null, null]),
        limit + 1,
      ]);
      const page = pageOf(found, limit, { backwards, fromCursor: cursor !== null });
      return { ...page, atMs: found[0]?.atMs ?? 0 };
    },
    async countLetters(filter) {
      const row = z.object({ letters: z.number() });
      const { letters } = await one(pool, countLettersSql(await features(pool)), row, [...values(filter), COUNT_MAX]);
      return { count: Math.min(letters, COUNT_MAX), capped: letters > COUNT_MAX };
    },
    async findLetter(id) {
      if (!isUuid(id)) return null;
      const found = await features(pool);
      const detail = await maybe(pool, findLetterSql(found), LetterDetailRow, [id, ERROR_SHOWN_MAX, PAYLOAD_SHOWN_MAX]);
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
    async listKinds() {
      await features(pool);
      return listKinds(pool, "persistence_job_dead_letters");
    },
  };
}
