"use client";

import { type FormEvent, useEffect, useId, useRef } from "react";
import { Button } from "@/components/ui/button";
import type { Facet } from "@/components/ui/facet-types";

type Props = {
  facet: Extract<Facet, { kind: "text" }>;
  onSet: (value: string | null) => void;
  onClose: () => void;
};

/** A filter that is written: Enter sets it, an empty field takes it away, Esc leaves it. */
export function FacetText({ facet, onSet, onClose }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.select();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSet(input.current?.value.trim() || null);
  };
  return (
    <form className="facettext" onSubmit={submit}>
      <div className="field">
        <label htmlFor={id}>{facet.label}</label>
        <input
          ref={input}
          id={id}
          className="input"
          autoComplete="off"
          maxLength={200}
          defaultValue={facet.value ?? ""}
          placeholder={facet.placeholder}
          onKeyDown={(event) => event.key === "Escape" && onClose()}
        />
        {facet.help ? <span className="help">{facet.help}</span> : null}
      </div>
      <Button type="submit" variant="primary" wide>
        Set filter
      </Button>
    </form>
  );
}
