"use client";

import { Icon } from "@/components/ui/icon";
import { useShortcut } from "@/components/ui/keyboard";
import { Keycap } from "@/components/ui/keycap";

/** Rows that arrived and wait to be shown, so that nothing moves under the pointer. `u` shows them. Zero: nothing. */
export function NewPill({ count, onShow }: { count: number; onShow: () => void }) {
  useShortcut("u", () => count > 0 && onShow());
  if (count === 0) return null;
  return (
    <button type="button" className="newpill" onClick={onShow}>
      <Icon name="arrow-up" />
      {count.toLocaleString("en-US")} new
      <Keycap>u</Keycap>
    </button>
  );
}
