import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { fingerprint } from "@/lib/domain/fingerprint";
import type { Finding } from "@/lib/domain/preflight";
import type { JournalFacts } from "@/lib/internal-rpc/journal-wire";
import { cleanupItem, type LetterOf, letterBytes } from "@/scripts/testing/journal";
import { readCleanup } from "./cleanup";
import { readLetter } from "./envelope/letter";
import { type Beside, judge } from "./judge";

const AT = "2026-11-14T03:30:00.000Z";
const OK: Finding = { code: "engine", severity: "ok", title: "The engine answers", evidence: [] };
const FIT: Finding = {
  code: "store_fit_redis",
  severity: "ok",
  title: "Redis takes writes and keeps them",
  evidence: [],
};

const factsOf = (id: string, more: Partial<JournalFacts> = {}): JournalFacts => ({
  dead_letter_id: id,
  found: true,
  requeued: null,
  decodes: { ok: true },
  cleanup: null,
  session: { active: false, since: null, character_id: null },
  resume_ledger: { present: false, character_id: null },
  presence: { online: "offline", since: null },
  steps: [],
  fields: [],
  fields_cut: false,
  newer_entries: [],
  newer_letters: [],
  newer_cut: false,
  recent: { minutes: 5, done: 0, failed: 0 },
  ...more,
});

type Given = { letter?: LetterOf; facts?: Partial<JournalFacts> | null; beside?: Partial<Beside> };

function look({ letter = {}, facts = {}, beside = {} }: Given) {
  const id = randomUUID();
  const read = readLetter(letterBytes({ ...letter, id }));
  const preflight = judge(
    { letter: read, seen: readCleanup(read.item) },
    {
      readMs: Date.parse(AT),
      told: { engine: OK, facts: facts && new Map([[id, factsOf(id, facts)]]), readMs: null },
      fit: FIT,
      late: { nowMs: Date.parse(AT), died: [], counts: null },
      session: { kind: "inactive" },
      ...beside,
    },
  );
  return { preflight, found: Object.fromEntries(preflight.findings.map((finding) => [finding.code, finding])) };
}

const planned = (plan: string, more: Record<string, unknown> = {}): LetterOf => ({
  item: cleanupItem({ plan, ...more }),
});
const active = { kind: "active", agoMs: 212_000 } as const;

test("all is well: every finding is ok, and what was seen is what is expected", () => {
  const { preflight } = look({ letter: planned("reconnectable") });
  expect(preflight.findings.filter(({ severity }) => severity !== "ok")).toEqual([]);
  expect(preflight.expect).toEqual({ session: "inactive", resumeLedger: "absent" });
});

test.each([
  ["reconnectable", false, "block"],
  ["permanent_removal", false, "warn"],
  ["confirmed_transfer", false, "warn"],
  ["reconnectable", true, "warn"],
])("the session is active again, plan %s, transfer confirmed %s: %s", (plan, confirmed, severity) => {
  const letter = planned(plan, { transfer_activation_confirmed: confirmed });
  const { found, preflight } = look({ letter, beside: { session: active } });
  expect(found.session_active).toMatchObject({ severity, title: "The session is active again" });
  expect(found.session_active?.reason).toMatch(/^It became active 3m 32s ago\./);
  expect(preflight.expect).toMatchObject({ session: "active" });
});

test("where the desk has no template for sessions the engine's word counts; without either there is nothing to acknowledge", () => {
  const session = { active: true, since: "2026-11-14T03:29:00Z", character_id: null };
  const letter = planned("reconnectable");
  expect(look({ letter, facts: { session }, beside: { session: null } }).found.session_active?.severity).toBe("block");
  const none = look({ letter, facts: { session: null }, beside: { session: null } });
  expect(none.found.session_active?.severity).toBe("not_configured");
  expect(none.preflight.expect).not.toHaveProperty("session");
});

test("a plan that deletes a resume ledger says whether there is one, and whose", () => {
  const letter = planned("permanent_removal");
  const whose = (character_id: string | null) =>
    look({ letter, facts: { resume_ledger: { present: true, character_id } } });
  expect(whose(null).found.resume_ledger).toMatchObject({
    severity: "warn",
    title: "This requeue deletes a resume ledger",
  });
  const other = whose(randomUUID());
  expect(other.found.resume_ledger?.title).toBe("This requeue deletes another character's resume ledger");
  expect(other.preflight.expect?.resumeLedger).toBe("present");
  expect(look({ letter }).found.resume_ledger).toMatchObject({
    severity: "ok",
    title: "There is no resume ledger to delete",
  });
  expect(look({ letter, facts: { resume_ledger: null } }).found.resume_ledger?.severity).toBe("unknown");
  expect(look({ letter, facts: null }).found.resume_ledger?.severity).toBe("not_configured");
  const keeps = look({
    letter: planned("reconnectable"),
    facts: { resume_ledger: { present: true, character_id: null } },
  });
  expect(keeps.found.resume_ledger?.severity).toBe("ok");
});

test("a confirmed transfer is told where the plan says something else", () => {
  const of = (plan: string) => look({ letter: planned(plan, { transfer_activation_confirmed: true }) }).found;
  expect(of("reconnectable").transfer_confirmed?.severity).toBe("warn");
  expect(of("confirmed_transfer").transfer_confirmed?.severity).toBe("ok");
  expect(look({}).found.transfer_confirmed?.title).toBe("No transfer was confirmed");
});

test("a character that plays in another session, and a newer cleanup of the same one, are each a warning with its rows", () => {
  const { found } = look({
    facts: {
      presence: { online: "other", since: "2026-11-14T03:20:00Z" },
      newer_entries: [{ entry_id: "e-1", enqueued_at: AT }],
      newer_letters: [{ dead_letter_id: "l-1", dead_lettered_at: AT }],
    },
  });
  expect(found.character_online).toMatchObject({ severity: "warn", reason: expect.stringMatching(/^For 10m 00s\./) });
  expect(found.newer_work).toMatchObject({
    severity: "warn",
    title: "Of the same session 1 newer cleanup waits and 1 newer one died",
  });
  expect(found.newer_work?.evidence.map(({ href }) => href)).toEqual([
    "/lists?queue=session-lifecycle&list=pending",
    "/dead-letters/session-lifecycle/l-1",
  ]);
});

test("a game server without facts gives one warning for all that only it can tell", () => {
  const { found, preflight } = look({ facts: null });
  expect(found.no_facts?.severity).toBe("warn");
  expect(found).not.toHaveProperty("character_online");
  expect(preflight.expect).toBeNull();
});

test("what cannot be decoded is blocked with the reason, and nothing else is asked of it", () => {
  const bytes = Buffer.from([0xff, 0x00]);
  const never = look({ letter: { entryId: "", item: bytes, error: "parse error: not UTF-8" }, facts: null });
  expect(never.found.payload_decodes).toMatchObject({ severity: "block", title: "The item cannot be decoded" });
  expect(never.found).not.toHaveProperty("session_active");
  const refused = look({ facts: { decodes: { ok: false, error: "plan: unknown" } } });
  expect(refused.found.payload_decodes?.evidence).toEqual([{ label: "decoder", value: "plan: unknown" }]);
  const odd = readLetter(Buffer.from("no letter"));
  const none = { engine: OK, facts: new Map(), readMs: null };
  const late = { nowMs: 0, died: [], counts: null };
  const shown = judge(
    { letter: odd, seen: readCleanup(odd.item) },
    { readMs: 0, told: none, fit: FIT, late, session: null },
  );
  expect(shown.findings[0]).toMatchObject({ code: "payload_decodes", severity: "block" });
});

test("a letter that left the list between two looks is blocked", () => {
  const requeued = { at: AT, entry_id: "e", operation_id: null, actor: null };
  expect(look({ facts: { found: false, requeued } }).preflight.findings[0]).toMatchObject({
    code: "letter_active",
    severity: "block",
    title: "Already requeued at 03:30:00",
  });
});

test("the same error just now is a warning, another one is none; a poisoned entry and one that died before say so", () => {
  const nowMs = Date.parse(AT);
  const error = "ERROR 23503: no zone 7";
  const of = (died: string) =>
    look({
      letter: { error },
      beside: { late: { nowMs, died: [{ print: fingerprint(died), diedMs: nowMs - 1_000 }], counts: null } },
    });
  expect(of("ERROR 23503: no zone 12").found.cause_present?.title).toBe(
    "1 cleanup died of this same error in the last 5 min, the last one 1 s ago",
  );
  expect(of("Redis is loading").found.kind_healthy?.severity).toBe("ok");
  const { found } = look({ letter: { error: "poison: 3 returns without a recorded failure", requeuedFrom: "l-0" } });
  expect(found.poison?.severity).toBe("warn");
  expect(found.died_again?.evidence[0]?.href).toBe("/dead-letters/session-lifecycle/l-0");
});

test("no token is in anything that a preflight gives back", () => {
  const token = `token-${randomUUID()}`;
  const letter = { item: cleanupItem({ session_token: token }), error: `refused ${token}` };
  for (const beside of [{ session: active }, {}]) expect(JSON.stringify(look({ letter, beside }))).not.toContain(token);
});
