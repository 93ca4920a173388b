"use client";

import { useRouter } from "next/navigation";
import { useWhenBack } from "@/components/queue/use-when-back";

/** In what could not be read: the page is read again by itself. What was read is left alone, so that no row moves. */
export function ReadWhenBack() {
  const router = useRouter();
  useWhenBack(() => router.refresh());
  return null;
}
