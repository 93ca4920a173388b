import type { InputHTMLAttributes, ReactNode } from "react";

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "className"> & { label: ReactNode };

/** A box with its sentence. */
export function Checkbox({ label, ...rest }: Props) {
  return (
    <label className="ack">
      <input {...rest} type="checkbox" className="cb" />
      <span>{label}</span>
    </label>
  );
}
