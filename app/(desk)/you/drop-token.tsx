"use client";

import { useSend } from "@/app/(desk)/use-send";
import { dropToken } from "@/app/(desk)/you/actions";
import { Button } from "@/components/ui/button";

/** Revokes one API token of one's own. */
export function DropToken({ tokenId, name }: { tokenId: string; name: string }) {
  // Whether it is gone is what the list says.
  const { sending, send } = useSend("always");
  return (
    <Button
      size="sm"
      aria-label={`Revoke ${name}`}
      disabledReason={sending ? "Sending" : null}
      onClick={() => void send(dropToken({ tokenId }), () => null)}
    >
      Revoke
    </Button>
  );
}
