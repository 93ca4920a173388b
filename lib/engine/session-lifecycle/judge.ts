import type { Judgement, Letter } from "@/lib/engine/durable/redis-work-queue";
import type { JournalExpect } from "@/lib/internal-rpc/journal-wire";
import { readLetterItem } from "./read-letter-item";
import { findSession } from "./sessions/active";
import { findResumeLedger } from "./sessions/resume";
import type { SessionStore } from "./sessions/session-store";

type Changed = { field: string; expected: string; found: string | null };

/**
 * Looks at what a plan was judged on, just before its letter is put back: whether the item decodes, and whether session
 * and ledger are as expected. What cannot be read is not as expected.
 */
export const judgeLetter =
  (sessions: SessionStore) =>
  async (letter: Letter, given: unknown): Promise<Judgement> => {
    const item = readLetterItem(letter);
    if (!item.ok) return { kind: "undecodable", error: item.error };
    const expect = (given ?? {}) as JournalExpect;
    const token = item.value.sessionToken;
    const changed: Changed[] = [];
    if (expect.session) {
      const found = await told(findSession(sessions, token), "active", "inactive");
      if (found !== expect.session) changed.push({ field: "session", expected: expect.session, found });
    }
    if (expect.resume_ledger) {
      const found = await told(findResumeLedger(sessions, token), "present", "absent");
      if (found !== expect.resume_ledger)
        changed.push({ field: "resume_ledger", expected: expect.resume_ledger, found });
    }
    return changed.length === 0 ? { kind: "fit" } : { kind: "changed", changed };
  };

/** Null: it could not be read. */
function told<T, A extends string, B extends string>(found: Promise<T | null>, there: A, not: B) {
  return found.then(
    (value): A | B | null => (value === null ? not : there),
    () => null,
  );
}
