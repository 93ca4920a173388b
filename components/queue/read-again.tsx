"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";
import { useShortcut } from "@/components/ui/keyboard";

/** Reads the list again, under the same address. Lists do not change by themselves: nothing moves under the pointer. */
export function ReadAgain({ label = "Read again" }: { label?: string }) {
  const router = useRouter();
  const [reading, start] = useTransition();
  const read = () => start(() => router.refresh());
  useShortcut("u", read);
  return (
    <Button size="sm" icon="refresh-cw" shortcut="u" onClick={read} aria-busy={reading || undefined}>
      {reading ? "Reading" : label}
    </Button>
  );
}
