import { hrefWith, type Query } from "@/components/ui/query";
import { type Segment, SegmentedLinks } from "@/components/ui/segmented-links";
import { ListName, type ListState } from "@/lib/domain/list-state";
import { LIST_WORDS } from "@/lib/domain/list-words";

type Props = { path: string; query: Query; list: ListName; runtime: string | null; counts: ListState["counts"] | null };

/** The lists with how many stand in each; a runtime's own list gets a tab while it is shown. */
export function ListTabs({ path, query, list, runtime, counts }: Props) {
  const plain = { ...query, runtime: undefined, at: undefined };
  const countOf = (name: ListName) => (name === "processing" ? counts?.plainProcessing : counts?.[name]) ?? null;
  const segments: Segment[] = ListName.options.map((name) => ({
    label: LIST_WORDS[name].word,
    href: hrefWith(path, plain, "list", name),
    current: list === name && runtime === null,
    count: countOf(name),
  }));
  if (runtime !== null) {
    segments.push({
      label: runtime,
      href: hrefWith(path, { ...query, at: undefined }, "list", "processing"),
      current: true,
    });
  }
  return <SegmentedLinks label="List" segments={segments} />;
}
