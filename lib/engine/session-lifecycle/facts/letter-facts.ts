import type { Letter } from "@/lib/engine/durable/redis-work-queue";
import { cutFields } from "@/lib/engine/persistence-retry/facts/cut-fields";
import { deletesResumeLedger } from "@/lib/engine/session-lifecycle/item/effect-plan";
import { readLetterItem } from "@/lib/engine/session-lifecycle/read-letter-item";
import { findSession } from "@/lib/engine/session-lifecycle/sessions/active";
import { readPresence } from "@/lib/engine/session-lifecycle/sessions/presence";
import { findResumeLedger } from "@/lib/engine/session-lifecycle/sessions/resume";
import type { JournalFacts } from "@/lib/internal-rpc/journal-wire";
import type { FactDeps } from "./index";
import { locationFacts } from "./location-facts";
import type { readNewer } from "./newer";
import { stepsOf } from "./steps";

/** The facts of a letter that is not in the list. */
export function missingFacts(deadLetterId: string, recent: JournalFacts["recent"]): JournalFacts {
  return {
    dead_letter_id: deadLetterId,
    found: false,
    requeued: null,
    decodes: null,
    cleanup: null,
    session: null,
    resume_ledger: null,
    presence: null,
    steps: [],
    fields: [],
    fields_cut: false,
    newer_entries: [],
    newer_letters: [],
    newer_cut: false,
    recent,
  };
}

/** What working this letter off would do now. What Redis did not tell is null. */
export async function letterFacts(
  { sessions, pool }: FactDeps,
  letter: Letter,
  base: JournalFacts,
  newer: Awaited<ReturnType<typeof readNewer>>,
): Promise<JournalFacts> {
  const decoded = readLetterItem(letter);
  if (!decoded.ok) return { ...base, found: true, decodes: { ok: false, error: decoded.error } };
  const cleanup = decoded.value;
  const { player, sessionToken: token } = cleanup;
  const orNull = <T>(read: Promise<T>) => read.catch(() => null);
  const [session, ledger, presence] = await Promise.all([
    orNull(findSession(sessions, token).then((found) => ({ found }))),
    orNull(findResumeLedger(sessions, token).then((found) => ({ found }))),
    orNull(readPresence(sessions, { token, characterId: player.characterId })),
  ]);
  const location = await locationFacts(pool, { item: letter.item, cleanup });
  const seen = { active: session?.found ?? null, presence, locationWritten: location.written };
  const steps = stepsOf(cleanup, seen);
  const writes = steps.some(({ step, does }) => step === "persist_location" && does === "does");
  const { fields, cut } = cutFields(writes ? location.fields : []);
  return {
    ...base,
    found: true,
    decodes: { ok: true },
    cleanup: {
      character_id: player.characterId,
      character_name: player.characterName,
      realm_id: player.realmId,
      zone_id: player.zoneId,
      plan: cleanup.plan,
      transfer_activation_confirmed: cleanup.transferActivationConfirmed,
      deletes_resume_ledger: deletesResumeLedger(cleanup),
    },
    session: session && {
      active: session.found !== null,
      since: session.found?.since ?? null,
      character_id: session.found?.characterId ?? null,
    },
    resume_ledger: ledger && { present: ledger.found !== null, character_id: ledger.found?.characterId ?? null },
    presence,
    steps,
    fields,
    fields_cut: cut,
    ...newer(token, letter.deadLetterId),
  };
}
