"use client";

import { type Selected, useSelection } from "./selection";

/** The tick of some letters: of a row, or of all of a page. Half ticked when only some are. */
export function SelectBox({ letters, label }: { letters: readonly Selected[]; label: string }) {
  const selection = useSelection();
  const ticked = letters.filter(selection.has).length;
  const all = ticked === letters.length;
  return (
    <input
      type="checkbox"
      className="cb"
      aria-label={label}
      checked={all}
      ref={(box) => {
        if (box) box.indeterminate = ticked > 0 && !all;
      }}
      onChange={() => selection.select(letters, !all)}
    />
  );
}
