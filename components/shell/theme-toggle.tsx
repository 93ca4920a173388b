"use client";

import { Icon } from "@/components/ui/icon";

const YEAR_S = 31_536_000;

/** Swaps light and dark. The cookie lets the server write the choice into the next page, so that none flashes. */
export function ThemeToggle() {
  const swap = () => {
    const root = document.documentElement;
    const system = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
    const next = (root.dataset.theme ?? system) === "dark" ? "light" : "dark";
    root.dataset.theme = next;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context, which a desk in a private network may not be.
    document.cookie = `backstop_theme=${next}; path=/; max-age=${YEAR_S}; samesite=lax`;
  };
  return (
    <button type="button" className="btn icon quiet" aria-label="Switch theme" data-tip="Switch theme" onClick={swap}>
      <Icon name="sun" className="only-dark" />
      <Icon name="moon" className="only-light" />
    </button>
  );
}
