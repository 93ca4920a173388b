import type { AuditQuery } from "@/app/(desk)/audit/audit-query";
import type { Facet, FacetOption } from "@/components/ui/facet-types";
import type { AuditChoices } from "@/lib/console/audit/choices";
import { utcStamp } from "@/lib/domain/time";
import { markUnseen } from "@/lib/domain/unseen";

const LAST: FacetOption[] = [
  { value: "1h", label: "Last hour" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
];
const PHASES: FacetOption[] = [
  { value: "intent", label: "Intents" },
  { value: "outcome", label: "Outcomes" },
  { value: "refusal", label: "Refusals" },
];

type Given = { asked: AuditQuery; choices: AuditChoices; nowMs: number };

/** What the audit can be filtered by. */
export function auditFacets({ asked: { query, time }, choices, nowMs }: Given): Facet[] {
  const choice = (key: string, label: string, options: readonly FacetOption[]): Facet => ({
    kind: "choice",
    key,
    label,
    options,
    selected: query[key] ? [query[key]] : [],
  });
  const written =
    time?.kind === "between"
      ? `${utcStamp(time.fromMs, nowMs)} to ${utcStamp(time.toMs, nowMs)}`
      : `Last ${time?.text}`;
  const other =
    query.time && !LAST.some(({ value }) => value === query.time) ? [{ value: query.time, label: written }] : [];
  return [
    choice("time", "Time", [...other, ...LAST]),
    choice(
      "who",
      "Who",
      choices.actors.map(({ id, name }) => ({ value: id, label: markUnseen(id === "system" ? "System" : name) })),
    ),
    choice(
      "action",
      "Action",
      choices.actions.map((value) => ({ value, label: value })),
    ),
    choice("phase", "Phase", PHASES),
    {
      kind: "text",
      key: "target",
      label: "Target",
      value: query.target ?? null,
      help: "The whole id of a letter, an operation, a group or an account.",
    },
  ];
}
