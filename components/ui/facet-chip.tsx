"use client";

import { type KeyboardEvent, useRef } from "react";
import { FacetPanel } from "@/components/ui/facet-panel";
import { FacetText } from "@/components/ui/facet-text";
import { type Facet, facetValue } from "@/components/ui/facet-types";
import { Icon } from "@/components/ui/icon";
import { Listbox } from "@/components/ui/listbox";
import { toggled } from "@/components/ui/query";

type Props = {
  facet: Facet;
  open: boolean;
  onOpen: (open: boolean) => void;
  /** Null takes the filter away. */
  onSet: (value: string | null) => void;
};

/** One filter: its key, its value, and a cross. Dashed while it is not set. Backspace takes it away. */
export function FacetChip({ facet, open, onOpen, onSet }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const value = facetValue(facet);
  const close = () => {
    onOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Backspace" && value !== null) onSet(null);
  };
  const trigger = {
    ref: button,
    type: "button" as const,
    "data-facet": facet.key,
    "aria-haspopup": facet.kind === "choice" ? ("listbox" as const) : ("dialog" as const),
    "aria-expanded": open,
    onClick: () => onOpen(!open),
    onKeyDown,
  };
  return (
    <div className="facetw">
      {value === null ? (
        <div className="facet off">
          <button {...trigger}>
            {facet.label}
            <Icon name="chevron-down" />
          </button>
        </div>
      ) : (
        <div className="facet">
          <span className="fk" aria-hidden="true">
            {facet.label}
          </span>
          <button {...trigger} className="fv" aria-label={`${facet.label}: ${value}`}>
            {value}
          </button>
          <button
            type="button"
            className="fx"
            aria-label={`Remove the ${facet.label.toLowerCase()} filter`}
            onClick={() => onSet(null)}
          >
            <Icon name="x" />
          </button>
        </div>
      )}
      {open ? (
        <FacetPanel onClose={() => onOpen(false)}>
          {facet.kind !== "choice" ? (
            <FacetText facet={facet} onSet={onSet} onClose={close} />
          ) : (
            <Listbox
              label={facet.label}
              options={facet.options}
              selected={facet.selected}
              multiple={facet.multiple}
              onClose={close}
              onPick={(picked) => {
                const next = toggled(facet.selected, picked, facet.multiple ?? false);
                onSet(next.length > 0 ? next.join(",") : null);
                if (!facet.multiple) close();
              }}
            />
          )}
        </FacetPanel>
      ) : null}
    </div>
  );
}
