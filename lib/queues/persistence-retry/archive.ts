import type { Pool } from "pg";
import { z } from "zod";
import { many } from "@/lib/db/pg";
import { PAYLOAD_SHOWN_MAX } from "@/lib/domain/payload-view";
import { NotReadable } from "@/lib/queues/failed-reading";
import type { ArchiveReader, Sources } from "@/lib/queues/queue";
import { letterToKeep } from "./archive-letter";
import {
  AfterRow,
  ByIdRow,
  FIND_KEYS,
  KeyRow,
  LetterToKeepRow,
  LIST_AFTER,
  listByIdSql,
  readLettersSql,
} from "./archive-sql";
import { readStoredStates } from "./archive-states";
import { type Features, notReadable, readFeatures } from "./features";

/** Of an error more is read than is kept, so that a secret which the cut would halve is still known whole. Characters. */
const ERROR_READ_MAX = 24_576;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const FIRST = { diedAt: "-infinity", letterId: FIRST_ID };

async function features(pool: Pool): Promise<Features> {
  const found = await readFeatures(pool);
  if (!found.letters) throw new NotReadable(notReadable("persistence_job_dead_letters"));
  return found;
}

/** Ids of this queue are UUIDs, whatever their version; any other cannot be of a letter here. */
const ours = (ids: string[]) => ids.filter((id) => z.guid().safeParse(id).success);

/** What the archive reads of the dead letters, on the seed's columns and on ours where they are there. */
export function archiveReader(pool: Pool, hashToken: Sources["hashToken"]): ArchiveReader {
  return {
    async listAfter(place, { months, limit }) {
      await features(pool);
      const { diedAt, letterId } = place ?? FIRST;
      const keys = await many(pool, LIST_AFTER, AfterRow, [diedAt, letterId, limit, months]);
      return { keys, settled: keys.findLast((key) => key.settled) ?? null };
    },
    async listById(after, { months, limit }) {
      const rows = await many(pool, listByIdSql(await features(pool)), ByIdRow, [after ?? FIRST_ID, limit, months]);
      const last = rows.length < limit ? undefined : rows.at(-1);
      return { keys: rows.filter(({ kept }) => kept), next: last?.letterId ?? null };
    },
    async findKeys(letterIds) {
      await features(pool);
      return many(pool, FIND_KEYS, KeyRow, [ours(letterIds)]);
    },
    async readLetters(letterIds) {
      const rows = await many(pool, readLettersSql(await features(pool)), LetterToKeepRow, [
        ours(letterIds),
        ERROR_READ_MAX,
        PAYLOAD_SHOWN_MAX,
      ]);
      return rows.map((row) => letterToKeep(row, hashToken));
    },
    async readStates(letters) {
      return readStoredStates(pool, await features(pool), letters);
    },
  };
}
