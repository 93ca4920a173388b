import { Banner } from "@/components/ui/banner";

/** What of the address could not be used. The list is of the rest. */
export function QueryNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return <Banner kind="partial">{notes.join(" ")}</Banner>;
}
