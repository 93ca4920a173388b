import type { Finding } from "@/lib/domain/preflight";
import { duration, utcClock } from "@/lib/domain/time";
import type { JournalFacts } from "@/lib/internal-rpc/journal-wire";

/** Whether the cleanup's character is online in another session than its own. */
export function onlineFinding(facts: JournalFacts, readMs: number): Finding {
  const code = "character_online";
  const { presence } = facts;
  if (presence === null) {
    return {
      code,
      severity: "unknown",
      title: "Whether the character is online could not be read",
      reason: "The engine did not tell it just now.",
      evidence: [],
      whatToDo: "read again. What could not be read just now is gated like a warning.",
      acknowledgement: "The character may be online in another session.",
    };
  }
  if (presence.online === "offline") return { code, severity: "ok", title: "The character is offline", evidence: [] };
  if (presence.online === "own") {
    return { code, severity: "ok", title: "The character is online in no other session", evidence: [] };
  }
  const sinceMs = Date.parse(presence.since ?? "");
  const long = Number.isNaN(sinceMs) ? null : duration(Math.max(0, readMs - sinceMs));
  return {
    code,
    severity: "warn",
    title: "The character is online in another session",
    reason: `${long === null ? "Since when is not recorded." : `For ${long}.`} The location and presence of this cleanup are of an older session.`,
    evidence: [{ label: "online", value: long === null ? "in another session" : `in another session for ${long}` }],
    whatToDo: "check what the plan would write below: the newer session's location would be overwritten.",
    acknowledgement: "The character plays in another session. I checked what would be written.",
  };
}

/** Whether a later cleanup of the same session waits or died. */
export function newerFinding({ newer_entries, newer_letters, newer_cut }: JournalFacts): Finding {
  const code = "newer_work";
  const [entries, letters] = [newer_entries.length, newer_letters.length];
  const cut = newer_cut ? [{ label: "looked at", value: "not all of the lists" }] : [];
  if (entries + letters === 0) {
    const title = newer_cut
      ? "No newer cleanup of this session, as far as was looked"
      : "No newer cleanup of this session";
    return { code, severity: "ok", title, evidence: cut };
  }
  const parts = [
    entries > 0 ? `${entries} newer ${entries === 1 ? "cleanup waits" : "cleanups wait"}` : "",
    letters > 0 ? `${letters} newer ${letters === 1 ? "one died" : "ones died"}` : "",
  ].filter(Boolean);
  const at = (instant: string | null) => (instant === null ? "at a time not kept" : utcClock(Date.parse(instant)));
  return {
    code,
    severity: "warn",
    title: `Of the same session ${parts.join(" and ")}`,
    reason: "Whichever is worked off last stays: put back now, the older one comes after the newer.",
    evidence: [
      ...newer_entries.slice(0, 3).map((entry) => ({
        label: `entry ${entry.entry_id.slice(0, 8)}`,
        value: `queued ${at(entry.enqueued_at)}`,
        href: "/lists?queue=session-lifecycle&list=pending",
      })),
      ...newer_letters.slice(0, 3).map((letter) => ({
        label: `letter ${letter.dead_letter_id.slice(0, 8)}`,
        value: `died ${at(letter.dead_lettered_at)}`,
        href: `/dead-letters/session-lifecycle/${encodeURIComponent(letter.dead_letter_id)}`,
      })),
      ...cut,
    ],
    whatToDo: "let the newer one finish, or resolve this one as no longer needed.",
    acknowledgement: "A newer cleanup of this session exists. I checked the order.",
  };
}

/** The engine tells nothing: what it knows alone cannot be told. */
export function noFacts(): Finding {
  return {
    code: "no_facts",
    severity: "warn",
    title: "This game server gives no facts",
    reason:
      "Whether a resume ledger exists, where the character is online and what newer cleanups there are cannot be told from here.",
    evidence: [{ label: "routes", value: "the seed's two: inspect and requeue" }],
    whatToDo: "check the player's present session with the game's own tools first.",
    acknowledgement: "I checked the player's present session outside this desk.",
  };
}
