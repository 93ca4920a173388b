import type { ReactNode } from "react";
import { type Crumb, TopBar } from "@/components/shell/top-bar";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

type Props = { crumbs: readonly Crumb[]; title: string; nowMs: number | null; children?: ReactNode };

const NO_POSTGRES = "DATABASE_URL is not set, so this desk reads no Postgres queue.";

/** The page of a list where no queue with such a list is configured. */
export function NoQueue({ crumbs, title, nowMs, children = NO_POSTGRES }: Props) {
  return (
    <>
      <TopBar crumbs={crumbs} nowMs={nowMs} />
      <main id="main">
        <div className="phead">
          <h1>{title}</h1>
        </div>
        <EmptyState heading="h2" title="There is no queue to list" actions={<LinkButton href="/">Overview</LinkButton>}>
          {children} The Overview counts what else there is.
        </EmptyState>
      </main>
    </>
  );
}
