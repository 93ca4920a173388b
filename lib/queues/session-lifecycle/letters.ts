import type { Redis } from "ioredis";
import type { Letter, Life } from "@/lib/domain/dead-letter";
import { shownLabel, shownText } from "@/lib/queues/masked";
import type { LetterReader } from "@/lib/queues/queue";
import { readCleanup } from "./cleanup";
import { readTime } from "./clock";
import { type JournalLetter, readLetter } from "./envelope/letter";
import { findLetters } from "./find-letters";
import { kindOf } from "./kind";
import { maskItem } from "./mask-item";
import { readRequeued } from "./operations";
import { payloadOf, wholeOf } from "./payload";

const ERROR_SHOWN_MAX = 16_384;
const ID_MAX = 200;

/** A dead letter with everything its page shows. One that was requeued is in the list no more: the archive has it. */
export function letterReader(redis: Redis): LetterReader {
  return {
    async findLetter(id) {
      if (id === "" || id.length > ID_MAX) return null;
      const found = (await findLetters(redis, [id])).get(id);
      if (found === undefined) return null;
      const letter = readLetter(found.bytes);
      const atMs = await readTime(redis);
      return { ...shown(letter, atMs), lives: await livesOf(redis, letter), atMs };
    },
    async revealLetter(id) {
      if (id === "" || id.length > ID_MAX) return null;
      const found = (await findLetters(redis, [id])).get(id);
      if (found === undefined) return null;
      const { error, item } = readLetter(found.bytes);
      return { error: error.slice(0, ERROR_SHOWN_MAX), payload: wholeOf(item) };
    },
  };
}

function shown(letter: JournalLetter, atMs: number): Omit<Letter, "lives"> {
  const seen = readCleanup(letter.item);
  const said = seen.kind === "read" ? seen.value : null;
  const secrets = maskItem(letter.item)?.secrets ?? [];
  const label = (text: string | null | undefined) => shownLabel(text ?? null, secrets);
  return {
    queue: "session-lifecycle",
    id: letter.id,
    jobId: letter.entryId,
    kind: kindOf(letter),
    subjectId: label(said?.characterId),
    subjectName: label(said?.characterName),
    realmId: label(said?.realmId),
    zoneId: label(said?.zoneId),
    attempts: letter.attempts,
    error: shownText(letter.error, secrets).slice(0, ERROR_SHOWN_MAX),
    errorBytes: Buffer.byteLength(letter.error),
    diedMs: letter.diedMs ?? atMs,
    state: "active",
    requeuedMs: null,
    requeuedJobId: null,
    impact: null,
    source: label(said?.profile),
    idempotencyKey: null,
    payload: payloadOf(letter.item),
  };
}

/** This life, and the one before it as far as its requeue is kept. What it was before that, the archive alone knows. */
async function livesOf(redis: Redis, letter: JournalLetter): Promise<Life[]> {
  const common = { source: null, attempts: [], attemptsKept: false };
  const from = letter.requeuedFrom;
  const [requeued] = from === null ? [null] : await readRequeued(redis, [from]);
  const own: Life = {
    ...common,
    jobId: letter.entryId ?? letter.id,
    letterId: letter.id,
    requeuedFrom: from,
    startedMs: requeued?.atMs ?? null,
    endedMs: letter.diedMs,
    end: "dead",
  };
  if (from === null) return [own];
  const before: Life = { ...own, jobId: from, letterId: from, requeuedFrom: null, startedMs: null, endedMs: null };
  return [before, own];
}
