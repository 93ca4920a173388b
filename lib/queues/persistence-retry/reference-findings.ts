import type { Finding } from "@/lib/domain/preflight";
import type { FieldFact, LetterFacts } from "@/lib/internal-rpc/wire";

/** A fact that tells whether a row that the payload refers to is there: `zone_catalog`, `item_catalog`. */
export const isReference = (field: string) => field.endsWith("_catalog");

const CODE = "reference_missing";

const nameOf = ({ field }: FieldFact) => field.replace(/_catalog$/, "").replaceAll("_", " ");
const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Whether each row that the payload refers to is there; nothing for a payload that refers to none. */
export function references({ fields }: LetterFacts): Finding[] {
  const all = fields.filter(({ field }) => isReference(field));
  const missing = all.filter(({ now }) => now === null);
  const [first] = all;
  if (first === undefined) return [];
  if (missing.length === 0) {
    const title =
      all.length === 1
        ? `${capital(nameOf(first))} ${first.payload} is in the catalog`
        : `All ${all.length} rows that the write refers to are there`;
    return [{ code: CODE, severity: "ok", title, evidence: [] }];
  }
  const [only] = missing;
  return [
    {
      code: CODE,
      severity: "warn",
      title:
        missing.length === 1 && only
          ? `${capital(nameOf(only))} ${only.payload} is not in the catalog`
          : `${missing.length} rows that the write refers to are missing`,
      reason: `The write refers to ${missing.length === 1 ? "it" : "them"}, so it would fail again.`,
      evidence: missing.map(({ field, payload }) => ({ label: field, value: `${payload} is missing` })),
      whatToDo: "fix the cause first, then read again.",
      acknowledgement: "The cause is still there. I know that this letter may die again.",
    },
  ];
}

/** The state that a guarded change goes from, and where the fact of it stands. */
export const FROM = "pending";
export const TRANSFER_STATE = "transfer.state";

/** Whether the transfer is where an activation may go from; nothing for other kinds. */
export function transferState({ fields, job }: LetterFacts): Finding[] {
  const state = fields.find(({ field }) => field === TRANSFER_STATE);
  if (job?.semantics !== "guarded" || state === undefined) return [];
  const code = "transfer_state";
  const evidence = [{ label: "transfer", value: state.now ?? "no such transfer" }];
  if (state.now === FROM) return [{ code, severity: "ok", title: "The transfer is still pending", evidence: [] }];
  if (state.now === state.payload) {
    return [
      {
        code,
        severity: "warn",
        title: `The transfer is ${state.now} already`,
        reason: "A requeue would write nothing: it would end superseded.",
        evidence,
        whatToDo: "resolve this letter as already applied. Nothing is owed to the player.",
        acknowledgement: "The transfer is active already. I know that nothing will be written.",
      },
    ];
  }
  return [
    {
      code,
      severity: "warn",
      title: state.now === null ? "The transfer does not exist" : `The transfer is ${state.now}`,
      reason: "It is activated only from pending, so the write would fail again.",
      evidence,
      whatToDo: "find out what became of the transfer before anything else.",
      acknowledgement: "The transfer is not pending. I know that this letter may die again.",
    },
  ];
}
