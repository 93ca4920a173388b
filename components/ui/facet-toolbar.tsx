"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { FacetChip } from "@/components/ui/facet-chip";
import { FacetPanel } from "@/components/ui/facet-panel";
import type { Facet } from "@/components/ui/facet-types";
import { useShortcut } from "@/components/ui/keyboard";
import { Listbox } from "@/components/ui/listbox";
import { hrefWith, type Query } from "@/components/ui/query";

const MENU = "+";

type Props = {
  /** The page's own path. */
  path: string;
  /** Every parameter of the present view, filters or not: they are kept. */
  query: Query;
  facets: readonly Facet[];
  /** Stands at the end of the line: the `QueryLine`. */
  children?: ReactNode;
};

/**
 * The filters of a list. Every change is an address, so Back undoes it and a link hands it on. `f` asks which filter,
 * left and right move between them, Backspace takes one away.
 */
export function FacetToolbar({ path, query, facets, children }: Props) {
  const router = useRouter();
  const bar = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<string | null>(null);
  const set = (key: string, value: string | null) => {
    const facet = facets.find((each) => each.key === key);
    if (facet?.kind !== "choice" || !facet.multiple) setOpen(null);
    router.push(hrefWith(path, query, key, value), { scroll: false });
  };
  useShortcut("f", (event) => {
    event.preventDefault();
    setOpen(MENU);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const buttons = [...(bar.current?.querySelectorAll<HTMLButtonElement>(":scope > .facetw button") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (!by || at < 0) return;
    event.preventDefault();
    buttons[(at + by + buttons.length) % buttons.length]?.focus();
  };
  return (
    <div ref={bar} className="filters" role="toolbar" aria-label="Filters" onKeyDown={onKeyDown}>
      {facets.map((facet) => (
        <FacetChip
          key={facet.key}
          facet={facet}
          open={open === facet.key}
          onOpen={(opened) => setOpen(opened ? facet.key : null)}
          onSet={(value) => set(facet.key, value)}
        />
      ))}
      <div className="facetw">
        <Button
          variant="quiet"
          size="sm"
          icon="plus"
          shortcut="f"
          aria-haspopup="listbox"
          aria-expanded={open === MENU}
          onClick={() => setOpen(open === MENU ? null : MENU)}
        >
          Filter
        </Button>
        {open === MENU ? (
          <FacetPanel onClose={() => setOpen(null)}>
            <Listbox
              label="Filter by"
              options={facets.map(({ key, label }) => ({ value: key, label }))}
              selected={[]}
              onPick={setOpen}
              onClose={() => setOpen(null)}
            />
          </FacetPanel>
        ) : null}
      </div>
      {children}
    </div>
  );
}
