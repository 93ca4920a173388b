import Link from "next/link";
import { type RunbookEntry, runbookHref } from "@/lib/domain/runbook";

/** The way to what to do about it. */
export function RunbookLink({ entry, about }: { entry: RunbookEntry; about?: string }) {
  return (
    <Link
      className="link"
      href={runbookHref(entry)}
      prefetch={false}
      aria-label={about === undefined ? undefined : `Runbook: ${about}`}
    >
      Runbook
    </Link>
  );
}
