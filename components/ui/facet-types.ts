import type { GlyphName } from "@/components/ui/glyph-paths";

export type FacetOption = { value: string; label: string; count?: number | null; glyph?: GlyphName };

/** A filter that is picked from a list, or written. `key` is its parameter in the address. */
export type Facet =
  | {
      kind: "choice";
      key: string;
      label: string;
      options: readonly FacetOption[];
      selected: readonly string[];
      multiple?: boolean;
    }
  | { kind: "text"; key: string; label: string; value: string | null; placeholder?: string; help?: string }
  /** Written, and never put into the address as it is: `seal` (a server action) makes of it what may stand there. */
  | {
      kind: "secret";
      key: string;
      label: string;
      set: boolean;
      seal: (text: string) => Promise<{ kind: string; value?: string }>;
      help?: string;
    };

/** What a set facet says; null while it is not set. */
export function facetValue(facet: Facet): string | null {
  if (facet.kind === "text") return facet.value || null;
  if (facet.kind === "secret") return facet.set ? "hidden" : null;
  const words = facet.selected.map((value) => facet.options.find((option) => option.value === value)?.label ?? value);
  return words.length > 0 ? words.join(", ") : null;
}
