import { readDepths, readLetters } from "@/lib/engine/durable/redis-work-queue";
import type { JournalInspection } from "@/lib/engine/http/journal-handlers";
import { decodeCleanup } from "./item/decode";
import type { JournalQueue } from "./journal-queue";

const ERROR_BYTES_MAX = 2_048;

/**
 * The seed's inspection: depths, and the newest letters. The answer holds session tokens, as the seed's does: it goes over
 * the signed route only, and the desk drops them at the crossing. What stands in the list and is no letter is left out.
 */
export async function inspectJournal(queue: JournalQueue, limit: number): Promise<JournalInspection> {
  const [depths, letters] = await Promise.all([readDepths(queue), readLetters(queue, { max: limit, first: "newest" })]);
  const held = depths.runtimes.reduce((sum, { processing }) => sum + (processing ?? 0), 0);
  return {
    depths: {
      pending: (depths.pending ?? 0) + (depths.retrying ?? 0),
      processing: (depths.plainProcessing ?? 0) + held,
      dead_letter: depths.deadLetter ?? 0,
    },
    dead_letters: letters.flatMap(({ value: letter }) => {
      if (letter === null) return [];
      const item = decodeCleanup(letter.item);
      return {
        dead_letter_id: letter.deadLetterId,
        entry_id: letter.entryId,
        attempts: letter.failedAttempts,
        error: cutBytes(letter.error),
        error_bytes: Buffer.byteLength(letter.error),
        timestamp: letter.deadLetteredAt,
        session_token: item.ok ? item.value.sessionToken : null,
        character_id: item.ok ? item.value.player.characterId : null,
        character_name: item.ok ? item.value.player.characterName : null,
      };
    }),
  };
}

/** The first 2 KiB, never half a character. */
function cutBytes(text: string): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, ERROR_BYTES_MAX)).replace(/\uFFFD$/, "");
}
