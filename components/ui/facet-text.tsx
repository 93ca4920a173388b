"use client";

import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import type { Facet } from "@/components/ui/facet-types";

type Props = {
  facet: Extract<Facet, { kind: "text" | "secret" }>;
  onSet: (value: string | null) => void;
  onClose: () => void;
};

/** A filter that is written: Enter sets it, an empty field takes it away, Esc leaves it. A secret is sealed first. */
export function FacetText({ facet, onSet, onClose }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.select();
  }, []);
  const [problem, setProblem] = useState("");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const text = input.current?.value.trim() || null;
    if (text === null || facet.kind === "text") return onSet(text);
    const sealed = await facet.seal(text).catch(() => null);
    if (sealed?.value === undefined) return setProblem("The desk could not take it. Try again.");
    onSet(sealed.value);
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
          maxLength={facet.kind === "secret" ? 4_096 : 200}
          type={facet.kind === "secret" ? "password" : "text"}
          defaultValue={facet.kind === "secret" ? "" : (facet.value ?? "")}
          placeholder={facet.kind === "secret" ? undefined : facet.placeholder}
          onKeyDown={(event) => event.key === "Escape" && onClose()}
        />
        {facet.help ? <span className="help">{facet.help}</span> : null}
        {problem ? (
          <span className="help" role="alert">
            {problem}
          </span>
        ) : null}
      </div>
      <Button type="submit" variant="primary" wide>
        Set filter
      </Button>
    </form>
  );
}
