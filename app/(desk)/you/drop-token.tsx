"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { dropToken } from "@/app/(desk)/you/actions";
import { Button } from "@/components/ui/button";

/** Revokes one API token of one's own. */
export function DropToken({ tokenId, name }: { tokenId: string; name: string }) {
  const router = useRouter();
  const [sending, setSending] = useState(false);
  async function drop() {
    setSending(true);
    await dropToken({ tokenId }).catch(() => null);
    setSending(false);
    // Whether it is gone is what the list says.
    router.refresh();
  }
  return (
    <Button
      size="sm"
      aria-label={`Revoke ${name}`}
      disabledReason={sending ? "Sending" : null}
      onClick={() => void drop()}
    >
      Revoke
    </Button>
  );
}
