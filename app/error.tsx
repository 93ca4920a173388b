"use client";

import { useEffect } from "react";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { LinkButton } from "@/components/ui/link-button";

type Thrown = { error: unknown; retry: () => void };

const AGAIN_MS = 10_000;

/**
 * A page that broke. It is tried again while somebody looks at it, since a store that is away comes back. The digest is
 * what stands beside the full error in the server's log.
 */
export default function PageError({ error, retry }: Thrown) {
  useEffect(() => {
    const again = setInterval(() => document.hidden || retry(), AGAIN_MS);
    return () => clearInterval(again);
  }, [retry]);
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
        Reading it failed on the server. Nothing was changed, and nothing was requeued by opening it. It is tried again
        by itself.
      </ErrorPanel>
    </main>
  );
}
