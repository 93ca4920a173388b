import type { Metadata } from "next";
import { connection } from "next/server";
import { Review } from "@/app/(desk)/dead-letters/review";
import { requireViewer } from "@/lib/auth/guard";

export const metadata: Metadata = { title: "Dead letters" };

/** Work that gave up: what waits for a decision, and what became of the rest. */
export default async function Page({ searchParams }: PageProps<"/dead-letters">) {
  await connection();
  return <Review params={await searchParams} viewer={await requireViewer()} />;
}
