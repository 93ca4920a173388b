import type { InputHTMLAttributes } from "react";
import { Glyph } from "@/components/ui/glyph";

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "className" | "id"> & {
  name: string;
  label: string;
  help?: string;
  /** What is wrong with it; announced, and the field is marked. */
  problem?: string | undefined;
};

/** A labelled input with its rule and its problem. */
export function FormField({ name, label, help, problem, ...input }: Props) {
  const ids = [help ? `${name}-help` : null, problem ? `${name}-problem` : null].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        {...input}
        id={name}
        name={name}
        className="input"
        aria-invalid={problem ? true : undefined}
        aria-describedby={ids || undefined}
      />
      {help ? (
        <p className="help" id={`${name}-help`}>
          {help}
        </p>
      ) : null}
      {problem ? <Problem id={`${name}-problem`}>{problem}</Problem> : null}
    </div>
  );
}

/** What stands in the way, as an alert; `reference` is what a log knows it by. */
export function Problem({ id, reference, children }: { id?: string; reference?: string; children: string }) {
  return (
    <p className="need" id={id} role="alert">
      <Glyph name="warn" />
      <span>
        {children}
        {reference ? <code>{reference}</code> : null}
      </span>
    </p>
  );
}
