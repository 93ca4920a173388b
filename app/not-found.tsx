import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

/** An address that leads nowhere, or a letter that is no longer stored. */
export default function NotFound() {
  return (
    <main id="main">
      <EmptyState
        heading="h1"
        title="There is nothing at this address"
        actions={
          <>
            <LinkButton href="/">Overview</LinkButton>
            <LinkButton href="/dead-letters" variant="quiet">
              Dead letters
            </LinkButton>
          </>
        }
      >
        The address may be cut short, or what it named is no longer stored.
      </EmptyState>
    </main>
  );
}
