import type { Effect } from "@/lib/domain/preflight";
import type { LetterFacts } from "@/lib/internal-rpc/wire";

/** The fact that tells whether a row that the payload refers to is there. */
export const REFERENCE = "zone_catalog";

/** 'What a requeue would do', a line for each field that applying would touch, and for what it refers to. */
export function effectsOf(facts: LetterFacts): Effect[] {
  const writes =
    facts.job && facts.character ? BigInt(facts.character.version) - BigInt(facts.job.character_version) : 0n;
  const newer = writes > 0n;
  const lines = facts.fields.map((field) => (field.field === REFERENCE ? reference(field) : effect(field, newer)));
  if (!facts.character || !facts.job) return lines;
  const version: Effect = {
    field: "version",
    payload: facts.job.character_version,
    now: facts.character.version,
    after: (BigInt(facts.character.version) + 1n).toString(),
    note: newer ? `${writes} write${writes === 1n ? "" : "s"} in between` : null,
    change: newer ? "attention" : "writes",
  };
  return [...lines, version];
}

type Field = LetterFacts["fields"][number];

function effect(field: Field, newer: boolean): Effect {
  const { payload, now, after } = field;
  const base = { field: field.field, payload, now: now ?? "none", after: after ?? "none", note: null };
  switch (field.change) {
    case "same":
      return { ...base, note: "no change", change: "same" };
    case "adds":
      return {
        ...base,
        payload: `+${grouped(payload)}`,
        now: grouped(base.now),
        after: grouped(base.after),
        note: `adds ${grouped(payload)}`,
        change: "writes",
      };
    case "sets":
      return { ...base, change: newer ? "harmful" : "writes" };
    default:
      return field.change satisfies never;
  }
}

function reference({ field, payload, now }: Field): Effect {
  return now === null
    ? {
        field,
        payload,
        now: "missing",
        after: "still missing",
        note: "the write would fail again",
        change: "attention",
      }
    : { field, payload, now, after: "reference resolves", note: null, change: "resolves" };
}

/** Whole numbers with thousands separators, by their digits: no number of JavaScript holds all of them. */
function grouped(text: string): string {
  return /^-?\d{4,}$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, ",") : text;
}
