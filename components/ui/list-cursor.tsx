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

const boxOf = (row: HTMLTableRowElement | null | undefined) =>
  row?.querySelector<HTMLInputElement>("input[type=checkbox]") ?? null;

/** Ticks the row of the cursor, or takes its tick away. From there on a range is drawn. */
function tick(): void {
  for (const row of rows()) row.removeAttribute("data-anchor");
  const row = current();
  row?.setAttribute("data-anchor", "");
  boxOf(row)?.click();
}

/** Gives all rows between the last ticked one and the cursor what that one has. */
function tickRange(): void {
  const all = rows();
  const from = all.findIndex((row) => row.hasAttribute("data-anchor"));
  const to = all.findIndex((row) => row.hasAttribute("data-cur"));
  if (to < 0) return;
  if (from < 0) {
    tick();
    return;
  }
  const on = boxOf(all[from])?.checked ?? true;
  for (const row of all.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    const box = boxOf(row);
    if (box && box.checked !== on) box.click();
  }
}

function step(by: number): void {
  const all = rows();
  const now = current();
  const index = now ? all.indexOf(now) + by : 0;
  moveTo(all[Math.min(all.length - 1, Math.max(0, index))]);
}

/**
 * `j` `k` move a cursor over the rows `tr[data-row]` of the page, `Enter` opens the row's `a[data-primary]`, `x` ticks
 * its checkbox, `Shift x` all from the last ticked one to here. Render once on a page with a list.
 */
export function ListCursor() {
  useShortcut("j", () => step(1));
  useShortcut("k", () => step(-1));
  useShortcut("x", tick);
  useShortcut("X", tickRange);
  useShortcut("Enter", (event) => {
    if (event.target instanceof Element && event.target.closest("a, button, summary")) return;
    current()?.querySelector<HTMLAnchorElement>("a[data-primary]")?.click();
  });
  return null;
}
