import { Glyph } from "@/components/ui/glyph";
import type { GroupAge } from "@/lib/domain/group-age";

/** Whether a cause is new, or came back; what is known has no mark. */
export function GroupAgeTag({ age }: { age: GroupAge }) {
  if (age === "known") return null;
  const [word, tip] =
    age === "new"
      ? ["new", "Nobody had seen this error before this time"]
      : ["came back", "All letters of this error had been settled or resolved before it came back"];
  return (
    <span className="st" data-tip={tip}>
      <Glyph name={age === "new" ? "info" : "warn"} />
      {word}
    </span>
  );
}
