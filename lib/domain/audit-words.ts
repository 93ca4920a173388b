import type { AuditEntry } from "./audit-entry";

type Told = Pick<AuditEntry, "phase" | "action" | "target" | "acknowledged" | "outcome" | "detail" | "operationId">;

const words = (code: string) => code.replaceAll("_", " ");
const counted = (count: number, one: string) => `${count.toLocaleString("en-US")} ${one}${count === 1 ? "" : "s"}`;
const listOf = (value: unknown) => (Array.isArray(value) ? value.map((each) => words(String(each))).join(", ") : "");

/** What a refusal refused for. `needs_operator` becomes `needs the operator role`. */
function refused({ outcome, detail }: Told): string {
  const role = /^needs_(viewer|operator|admin)$/.exec(outcome ?? "")?.[1];
  const why = role ? `needs the ${role} role` : words(outcome ?? "not allowed");
  const more = listOf(detail?.worse) || listOf(detail?.blocks) || listOf(detail?.missing);
  return more ? `${why} (${more})` : why;
}

/** What is known of a row beside who, what and to what, in a line. Text of people is given as it is; empty: nothing. */
export function auditDetail(entry: Told): string {
  const { phase, action, acknowledged, outcome, detail } = entry;
  if (phase === "refusal") return `refused: ${refused(entry)}`;
  const warnings = acknowledged.length > 0 ? `${counted(acknowledged.length, "warning")} acknowledged` : "";
  if (phase === "intent") return warnings ? `intended, ${warnings}` : "intended";
  if (action === "note") return String(detail?.body ?? "added");
  if (action === "audit_checkpoint") return `the chain begins here, after ${counted(Number(detail?.rows ?? 0), "row")}`;
  const parts = [outcome === null ? "" : words(outcome), warnings];
  if (typeof detail?.changed === "number") parts.push(`${counted(detail.changed, "letter")} changed`);
  if (Array.isArray(detail?.left) && detail.left.length > 0)
    parts.push(`${counted(detail.left.length, "letter")} left`);
  if (typeof detail?.newJobId === "string") parts.push(`as job ${detail.newJobId}`);
  if (typeof detail?.sentence === "string") parts.push(detail.sentence);
  return parts.filter(Boolean).join(", ");
}

/** Who did it, as the row has it: `System` where that was Backstop by itself, else the stored name; text of people. */
export function auditWho({ name, role }: AuditEntry["actor"]): { name: string; system: boolean } {
  // The command line has the role of the system, and a name of its own.
  const system = role === "system" && name === "system";
  return { name: system ? "System" : name, system };
}

/** What a row was done to: its words, the whole of it, and where it is; no `href`: it has no page. */
export type AuditTarget = { text: string; whole: string; href: string | null };

const text = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? String(value) : null;
/** Ids are cut in the middle: their two ends tell them apart. */
const short = (id: string) => (id.length > 13 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);

/** The target of a row in words; null: it has none. */
export function auditTarget(target: Record<string, unknown>): AuditTarget | null {
  const [queue, letter, group] = [text(target.queue), text(target.letterId), text(target.group)];
  if (letter !== null) {
    const href = queue === null ? null : `/dead-letters/${encodeURIComponent(queue)}/${encodeURIComponent(letter)}`;
    return { text: short(letter), whole: letter, href };
  }
  if (Array.isArray(target.letterIds)) {
    const ids = target.letterIds.map(String);
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) return auditTarget({ queue, letterId: only });
    return { text: counted(ids.length, "letter"), whole: ids.join("\n"), href: null };
  }
  if (group !== null && /^\d+$/.test(group)) {
    return { text: `error ${group}`, whole: `error group ${group}`, href: `/dead-letters/groups/${group}` };
  }
  const [user, username] = [text(target.userId), text(target.username)];
  if (user !== null && username !== null) {
    return { text: username, whole: user, href: `/users?user=${encodeURIComponent(user)}` };
  }
  const rest = Object.entries(target).flatMap(([key, value]) => {
    const told = text(value);
    return told === null ? [] : [[key, told] as const];
  });
  const [first] = rest;
  if (first === undefined) return null;
  const whole = rest.map(([key, value]) => `${key}: ${value}`).join("\n");
  return { text: rest.length === 1 && !/Id$/.test(first[0]) ? first[1] : short(first[1]), whole, href: null };
}
