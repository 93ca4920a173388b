"use client";

import { useShortcut } from "@/components/ui/keyboard";

const ROWS = "tr[data-row]";
const rows = () => [...document.querySelectorAll<HTMLTableRowElement>(ROWS)];
const current = () => document.querySelector<HTMLTableRowElement>(`${ROWS}[data-cur]`);

/** The cursor is an attribute that React does not know, so that a refresh of the rows leaves it where it is. */
function moveTo(row: HTMLTableRowElement | undefined): void {
  if (!row) return;
  current()?.removeAttribute("data-cur");
  row.setAttribute("data-cur", "");
  row.scrollIntoView({ block: "nearest" });
  // Focus follows, so that a screen reader reads the row and Enter opens it.
  row.querySelector<HTMLElement>("a[data-primary]")?.focus({ preventScroll: true });
}

function step(by: number): void {
  const all = rows();
  const now = current();
  const index = now ? all.indexOf(now) + by : 0;
  moveTo(all[Math.min(all.length - 1, Math.max(0, index))]);
}

/**
 * `j` `k` move a cursor over the rows `tr[data-row]` of the page, `Enter` opens the row's `a[data-primary]`, `x` ticks
 * its checkbox. Render once on a page with a list.
 */
export function ListCursor() {
  useShortcut("j", () => step(1));
  useShortcut("k", () => step(-1));
  useShortcut("x", () => current()?.querySelector<HTMLInputElement>("input[type=checkbox]")?.click());
  useShortcut("Enter", (event) => {
    if (event.target instanceof Element && event.target.closest("a, button, summary")) return;
    current()?.querySelector<HTMLAnchorElement>("a[data-primary]")?.click();
  });
  return null;
}
