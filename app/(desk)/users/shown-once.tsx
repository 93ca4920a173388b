"use client";

import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";

/** Something that the desk made and keeps as a hash alone. */
export function ShownOnce({ what, secret }: { what: string; secret: string }) {
  return (
    <Callout tone="ok" title={`${what} is shown this once`}>
      <code>{secret}</code> <CopyButton text={secret} label={`Copy: ${what}`} said="Copied" />
    </Callout>
  );
}
