"use client";

import { Button } from "@/components/ui/button";
import type { IconName } from "@/components/ui/icon-paths";
import { copyText } from "@/components/ui/toast";

type Props = { text: string; label: string; said: string; icon?: IconName };

/** A small square button that copies `text` and says `said`. */
export function CopyButton({ text, label, said, icon = "copy" }: Props) {
  return <Button variant="quiet" size="sm" icon={icon} aria-label={label} onClick={() => void copyText(text, said)} />;
}

/** An id, shortened on screen, whole on the clipboard. `short` is what is shown. */
export function CopyId({ id, short, label }: { id: string; short: string; label: string }) {
  return (
    <button
      type="button"
      className="mono copyid"
      data-tip={`Copy ${id}`}
      aria-label={`${short}: copy ${label} ${id}`}
      onClick={() => void copyText(id, `${label[0]?.toUpperCase()}${label.slice(1)} copied`)}
    >
      {short}
    </button>
  );
}
