"use client";

import { useEffect, useState } from "react";

const SHOWN_MS = 3_000;
const EVENT = "backstop:toast";

/** Says in the corner that something was copied. Results of a requeue never come here: they belong in the row. */
export function toast(text: string): void {
  dispatchEvent(new CustomEvent(EVENT, { detail: text }));
}

/** Copies, also where the page is not a secure context (plain http in a private network), and says so. */
export async function copyText(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "vh";
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  toast(said);
}

/** Where toasts appear; once per document. */
export function Toasts() {
  const [shown, setShown] = useState<{ id: number; text: string }[]>([]);
  useEffect(() => {
    let last = 0;
    const show = (event: Event) => {
      const id = ++last;
      setShown((now) => [...now, { id, text: String((event as CustomEvent).detail) }]);
      setTimeout(() => setShown((now) => now.filter((each) => each.id !== id)), SHOWN_MS);
    };
    addEventListener(EVENT, show);
    return () => removeEventListener(EVENT, show);
  }, []);
  return (
    <div className="toasts" role="status">
      {shown.map((each) => (
        <div key={each.id} className="toast">
          {each.text}
        </div>
      ))}
    </div>
  );
}
