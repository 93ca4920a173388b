import type { Facet } from "@/components/ui/facet-types";
import { IMPACT_WORDS, IMPACTS } from "@/lib/domain/impact-words";
import type { JobFilter } from "@/lib/queues/queue";

const ATTEMPTS_SHOWN = 8;

type Given = {
  queues: readonly string[];
  queue: string | undefined;
  filter: JobFilter;
  kinds: readonly string[];
  attemptsMax: number | null;
};

/** What the jobs can be filtered by, beside their state. */
export function jobFacets({ queues, queue, filter, kinds, attemptsMax }: Given): Facet[] {
  const many = Array.from({ length: attemptsMax ?? ATTEMPTS_SHOWN }, (_, index) => String(index + 1));
  const choice = (key: string, label: string, values: readonly string[], selected: string | undefined): Facet => ({
    kind: "choice",
    key,
    label,
    options: values.map((value) => ({ value, label: key === "attempts" ? `${value} or more` : value })),
    selected: selected === undefined ? [] : [selected],
  });
  return [
    choice("queue", "Queue", queues, queue),
    choice("kind", "Kind", kinds, filter.kind),
    {
      kind: "text",
      key: "owner",
      label: "Owner",
      value: filter.owner ?? null,
      help: "The whole name of a worker, as the Owner column shows it on hover.",
    },
    {
      kind: "choice",
      key: "impact",
      label: "Impact",
      options: IMPACTS.map((value) => ({ value, label: IMPACT_WORDS[value] })),
      selected: filter.impact === undefined ? [] : [filter.impact],
    },
    choice("attempts", "Attempts", many, filter.attemptsMin?.toString()),
    {
      kind: "text",
      key: "subject",
      label: "Character",
      value: filter.subject ?? null,
      help: "The id of a character. A character's name in the list sets it.",
    },
  ];
}
