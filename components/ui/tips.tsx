"use client";

import { useEffect, useRef, useState } from "react";
import { useClock } from "@/components/ui/db-clock";
import { timeTip } from "@/lib/domain/time";

const RAIL = "(max-width: 1180px) and (min-width: 721px)";
const GAP = 7;
const EDGE = 8;

/**
 * One tooltip for the whole page: on hover and on keyboard focus of `[data-tip]`, of `time[data-at]`, and of
 * `[data-tip-rail]` while the navigation shows no labels. Esc closes it. It repeats or adds detail and never holds
 * the only copy of a fact. Placed through the style object, which a strict content policy allows.
 */
export function Tips() {
  const box = useRef<HTMLDivElement>(null);
  const clock = useClock();
  const [at, setAt] = useState<{ target: Element; text: string } | null>(null);

  useEffect(() => {
    const textOf = (target: Element) => {
      const instant = target.getAttribute("data-at");
      if (instant !== null) {
        return timeTip(Number(instant), clock.now(), Intl.DateTimeFormat().resolvedOptions().timeZone);
      }
      const rail = target.getAttribute("data-tip-rail");
      return (rail !== null && matchMedia(RAIL).matches ? rail : target.getAttribute("data-tip")) ?? "";
    };
    const show = (event: Event) => {
      const from = event.target instanceof Element ? event.target : null;
      const target = from?.closest("[data-tip], [data-tip-rail], time[data-at]") ?? null;
      const wanted = target && (event.type !== "focusin" || target.matches(":focus-visible"));
      const text = wanted ? textOf(target) : "";
      setAt(text && target ? { target, text } : null);
    };
    const hide = () => setAt(null);
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && hide();
    document.addEventListener("mouseover", show);
    document.addEventListener("focusin", show);
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", hide);
    addEventListener("scroll", hide, true);
    return () => {
      document.removeEventListener("mouseover", show);
      document.removeEventListener("focusin", show);
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", hide);
      removeEventListener("scroll", hide, true);
    };
  }, [clock]);

  useEffect(() => {
    const tip = box.current;
    if (!tip || !at) return;
    const beside = at.target.hasAttribute("data-tip-rail") && matchMedia(RAIL).matches;
    const target = at.target.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const centred = target.left + target.width / 2 - width / 2;
    const left = beside ? target.right + EDGE : Math.min(Math.max(EDGE, centred), innerWidth - width - EDGE);
    const below = beside ? target.top + (target.height - height) / 2 : target.bottom + GAP;
    const fits = below + height <= innerHeight - EDGE;
    tip.style.left = `${left}px`;
    tip.style.top = `${fits ? below : target.top - height - GAP}px`;
  }, [at]);

  return at ? (
    <div ref={box} className="tip" role="tooltip">
      {at.text}
    </div>
  ) : null;
}
