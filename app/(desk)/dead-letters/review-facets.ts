import { ALL, type ReviewQuery } from "@/app/(desk)/dead-letters/review-query";
import { sealToken } from "@/app/(desk)/dead-letters/seal-token";
import type { Facet, FacetOption } from "@/components/ui/facet-types";
import { STATES } from "@/components/ui/state-words";
import { ArchivedState } from "@/lib/domain/archived-letter";
import { utcStamp } from "@/lib/domain/time";

type Given = { queues: readonly string[]; kinds: readonly string[]; asked: ReviewQuery; nowMs: number };

const LAST: FacetOption[] = [
  { value: "1h", label: "Last hour" },
  { value: "3h", label: "Last 3 hours" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
];

/** What the letters can be filtered by. A state that is not chosen is the default: open, or any for a search. */
export function reviewFacets({ queues, kinds, asked: { query, filter }, nowMs }: Given): Facet[] {
  const choice = (key: string, label: string, options: readonly FacetOption[]): Facet => ({
    kind: "choice",
    key,
    label,
    options,
    selected: query[key] ? [query[key]] : [],
  });
  const named = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  const { died } = filter;
  const between: FacetOption[] =
    died?.kind === "between"
      ? [{ value: query.died ?? "", label: `${utcStamp(died.fromMs, nowMs)} to ${utcStamp(died.toMs, nowMs)}` }]
      : died && !LAST.some(({ value }) => value === died.text)
        ? [{ value: died.text, label: `Last ${died.text}` }]
        : [];
  const facets: Facet[] = [
    {
      kind: "choice",
      key: "state",
      label: "State",
      multiple: true,
      options: [
        ...ArchivedState.options.map((state) => ({
          value: state,
          label: STATES[state].word,
          glyph: STATES[state].glyph,
        })),
        { value: "dead", label: "Dead in its store" },
        { value: ALL, label: "All states" },
      ],
      selected: query.state?.split(",") ?? [],
    },
    choice("died", "Died", [...between, ...LAST]),
    choice("kind", "Kind", named(kinds)),
    choice("queue", "Queue", named(queues)),
    text("realm", "Realm", query, "The whole name of a realm."),
    text("subject", "Character", query, "The id of a character. A character's name in the list sets it."),
    text("q", "Search", query, "Whole words of the error, an id, or a character's name. Never a session token."),
    {
      kind: "secret",
      key: "token",
      label: "Session token",
      set: query.token !== undefined,
      seal: sealToken,
      help: "It is sent once and not kept: the letters are found by a keyed hash of it.",
    },
  ];
  if (query.group) facets.splice(2, 0, choice("group", "Error", [{ value: query.group, label: `No. ${query.group}` }]));
  return facets;
}

function text(key: string, label: string, query: ReviewQuery["query"], help: string): Facet {
  return { kind: "text", key, label, value: query[key] ?? null, help };
}
