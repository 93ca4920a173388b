"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { cx } from "@/components/ui/cx";
import type { FacetOption } from "@/components/ui/facet-types";
import { Glyph } from "@/components/ui/glyph";
import { Icon } from "@/components/ui/icon";

type Props = {
  label: string;
  options: readonly FacetOption[];
  selected: readonly string[];
  multiple?: boolean;
  onPick: (value: string) => void;
  onClose: () => void;
};

/** A list to pick from: arrows, Home, End and first letters move; Enter or Space picks; Esc and Tab close. */
export function Listbox({ label, options, selected, multiple, onPick, onClose }: Props) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      options.findIndex((option) => selected.includes(option.value)),
    ),
  );
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [id, at]);

  const step = (by: number) => setAt((now) => Math.min(options.length - 1, Math.max(0, now + by)));
  const jump = (letter: string) => {
    const order = [...options.keys()].map((index) => (index + at + 1) % options.length);
    const found = order.find((index) => options[index]?.label.toLowerCase().startsWith(letter.toLowerCase()));
    if (found !== undefined) setAt(found);
  };
  const act = (key: string): boolean => {
    switch (key) {
      case "ArrowDown":
        step(1);
        return true;
      case "ArrowUp":
        step(-1);
        return true;
      case "Home":
        setAt(0);
        return true;
      case "End":
        setAt(options.length - 1);
        return true;
      case "Enter":
      case " ":
        onPick(options[at]?.value ?? "");
        return true;
      case "Escape":
        onClose();
        return true;
      default:
        return false;
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (act(event.key)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Tab") onClose();
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) jump(event.key);
  };

  if (options.length === 0) return <p className="faint listnone">Nothing to choose from.</p>;
  return (
    <div
      ref={box}
      role="listbox"
      tabIndex={0}
      className="list"
      aria-label={label}
      aria-multiselectable={multiple || undefined}
      aria-activedescendant={`${id}-${at}`}
      onKeyDown={onKeyDown}
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys act on the list, which holds the focus.
        // biome-ignore lint/a11y/useFocusableInteractive: the list holds the focus and names the active option.
        <div
          key={option.value}
          id={`${id}-${index}`}
          role="option"
          aria-selected={selected.includes(option.value)}
          className={cx("opt", index === at && "on")}
          onPointerMove={() => setAt(index)}
          onClick={() => onPick(option.value)}
        >
          {option.glyph ? <Glyph name={option.glyph} /> : null}
          <span>{option.label}</span>
          {option.count == null ? null : <span className="cnt">{option.count.toLocaleString("en-US")}</span>}
          {selected.includes(option.value) ? <Icon name="check" /> : null}
        </div>
      ))}
    </div>
  );
}
