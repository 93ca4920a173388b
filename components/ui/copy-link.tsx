"use client";

import { Button } from "@/components/ui/button";
import { copyText } from "@/components/ui/toast";

/** Copies the address of this view. */
export function CopyLink() {
  const copy = () => void copyText(location.href, "Link copied");
  return <Button variant="quiet" size="sm" icon="link" aria-label="Copy link to this view" onClick={copy} />;
}
