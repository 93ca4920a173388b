import type { Effect } from "@/lib/domain/preflight";
import type { LetterFacts } from "@/lib/internal-rpc/wire";
import { FROM, isReference, TRANSFER_STATE } from "./reference-findings";

/** 'What a requeue would do', a line for each field that applying would touch, and for what it refers to. */
export function effectsOf(facts: LetterFacts): Effect[] {
  const writes =
    facts.job && facts.character ? BigInt(facts.character.version) - BigInt(facts.job.character_version) : 0n;
  const newer = writes > 0n;
  // A guarded change goes only from the state that it expects: it overwrites nothing.
  const overwrites = newer && facts.job?.semantics === "absolute";
  const lines = facts.fields.map((field) => (isReference(field.field) ? reference(field) : effect(field, overwrites)));
  if (!facts.character || !facts.job) return lines;
  const version: Effect = {
    field: "version",
    payload: facts.job.character_version,
    now: facts.character.version,
    after: (BigInt(facts.character.version) + (writesNothing(facts) ? 0n : 1n)).toString(),
    note: newer ? `${writes} write${writes === 1n ? "" : "s"} in between` : null,
    change: newer ? "attention" : writesNothing(facts) ? "same" : "writes",
  };
  return [...lines, version];
}

/** A guarded change that is not where it may go from: it fails, or ends without effect. */
function writesNothing({ job, fields }: LetterFacts): boolean {
  return job?.semantics === "guarded" && fields.some(({ field, now }) => field === TRANSFER_STATE && now !== FROM);
}

type Field = LetterFacts["fields"][number];

function effect(field: Field, overwrites: boolean): Effect {
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
      if (after === null && now !== null) return { ...base, note: "nothing would be written", change: "attention" };
      return { ...base, change: overwrites ? "harmful" : "writes" };
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
