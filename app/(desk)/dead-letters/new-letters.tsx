"use client";

import { useRouter } from "next/navigation";
import { useReading } from "@/app/(desk)/live/use-reading";
import { NewPill } from "@/components/ui/new-pill";

type Props = {
  /** The filter, as it stands in the address. */
  query: string;
  /** The archive's clock of the page's reading. */
  sinceMs: number;
};

/** How many letters this page would show more, were it read again: they wait behind a pill, so that no row jumps. */
export function NewLetters({ query, sinceMs }: Props) {
  const router = useRouter();
  const { value } = useReading({
    path: `/api/dead-letters/new${query ? `${query}&` : "?"}since=${sinceMs}`,
    everyMs: 5_000,
    initial: { kind: "read", value: { count: 0 } },
    schema: async () => (await import("@/app/(desk)/dead-letters/new-schema")).NewReading,
  });
  return <NewPill count={value?.count ?? 0} onShow={() => router.refresh()} />;
}
