import { ALL } from "@/app/(desk)/dead-letters/letters-query";
import type { Facet } from "@/components/ui/facet-types";
import type { Query } from "@/components/ui/query";
import { STATES } from "@/components/ui/state-words";
import { LetterState } from "@/lib/domain/dead-letter";

type Given = { queues: readonly string[]; kinds: readonly string[]; query: Query };

/** What the letters can be filtered by. A state that is not chosen is the default: active, or any for a search. */
export function letterFacets({ queues, kinds, query }: Given): Facet[] {
  const choice = (key: string, label: string, values: readonly string[]): Facet => ({
    kind: "choice",
    key,
    label,
    options: values.map((value) => ({ value, label: value })),
    selected: query[key] ? [query[key]] : [],
  });
  return [
    {
      kind: "choice",
      key: "state",
      label: "State",
      multiple: true,
      options: [
        ...LetterState.options.map((state) => ({
          value: state,
          label: STATES[state].word,
          glyph: STATES[state].glyph,
        })),
        { value: ALL, label: "All states" },
      ],
      selected: query.state?.split(",") ?? [],
    },
    choice("queue", "Queue", queues),
    choice("kind", "Kind", kinds),
    {
      kind: "text",
      key: "subject",
      label: "Character",
      value: query.subject ?? null,
      help: "The id of a character. A character's name in the list sets it.",
    },
    { kind: "text", key: "realm", label: "Realm", value: query.realm ?? null, help: "The whole name of a realm." },
    {
      kind: "text",
      key: "q",
      label: "Search",
      value: query.q ?? null,
      help: "Words of the error, or the id of a letter, a job or a character.",
    },
  ];
}
