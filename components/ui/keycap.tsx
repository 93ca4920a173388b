/** The key that does the same, drawn beside its control; not part of the control's name. */
export function Keycap({ children }: { children: string }) {
  return (
    <span aria-hidden="true" className="keycap">
      <kbd>{children}</kbd>
    </span>
  );
}
