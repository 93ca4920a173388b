import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from "react";
import { Glyph } from "@/components/ui/glyph";

type Common = {
  label: string;
  help?: ReactNode;
  /** What is wrong with what was entered, in a sentence. */
  problem?: string | null;
};

/** One line of text with its label, its help and what is wrong with it. */
export function TextField({
  label,
  help,
  problem,
  ...rest
}: Common & Omit<InputHTMLAttributes<HTMLInputElement>, "id">) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        id={id}
        className="input"
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy(id, help, problem)}
      />
      <FieldNotes id={id} help={help} problem={problem} />
    </div>
  );
}

/** Several lines of text, otherwise as `TextField`. */
export function TextArea({
  label,
  help,
  problem,
  ...rest
}: Common & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id">) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        rows={2}
        {...rest}
        id={id}
        className="input"
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy(id, help, problem)}
      />
      <FieldNotes id={id} help={help} problem={problem} />
    </div>
  );
}

/** The ids of what is really there. */
function describedBy(id: string, help: ReactNode, problem: string | null | undefined): string | undefined {
  return [help && `${id}-h`, problem && `${id}-p`].filter(Boolean).join(" ") || undefined;
}

function FieldNotes({ id, help, problem }: { id: string; help?: ReactNode; problem?: string | null }) {
  return (
    <>
      {help ? (
        <span className="help" id={`${id}-h`}>
          {help}
        </span>
      ) : null}
      {problem ? (
        <p className="need" id={`${id}-p`} role="alert">
          <Glyph name="warn" />
          <span>{problem}</span>
        </p>
      ) : null}
    </>
  );
}
