"use client";

import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { LinkButton } from "@/components/ui/link-button";

type Thrown = { error: unknown; retry: () => void };

/** A page that broke. The digest is what stands beside the full error in the server's log. */
export default function PageError({ error, retry }: Thrown) {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : undefined;
  return (
    <main id="main">
      <ErrorPanel
        heading="h1"
        title="This page could not be shown"
        code="page_failed"
        requestId={digest}
        actions={
          <>
            <Button onClick={() => retry()}>Try again</Button>
            <LinkButton href="/" variant="quiet">
              Overview
            </LinkButton>
          </>
        }
      >
        Reading it failed on the server. Nothing was changed, and nothing was requeued by opening it.
      </ErrorPanel>
    </main>
  );
}
