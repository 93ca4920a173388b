import { CopyLink } from "@/components/ui/copy-link";

/** The exact query of this view, to read and to hand on. `y` copies the whole link. */
export function QueryLine({ query }: { query: string }) {
  return (
    <div className="urlq">
      <code>{query || "no filters"}</code>
      <CopyLink />
    </div>
  );
}
