"use client";

import type { ReactNode } from "react";
import { Pulse } from "@/app/(desk)/live/pulse";
import { useOverview } from "@/app/(desk)/live/use-overview";
import type { Person } from "@/components/shell/me";
import { type Environment, Shell } from "@/components/shell/shell";
import type { Overview } from "@/lib/domain/overview";
import { clockOf, openLetters } from "@/lib/domain/overview-facts";

type Props = { environment: Environment; me: Person; signOut: ReactNode; initial: Overview; children: ReactNode };

/** The frame of the desk with its counts and connections kept current on every page. */
export function DeskFrame({ environment, me, signOut, initial, children }: Props) {
  const { overview } = useOverview(initial);
  return (
    <Shell
      environment={environment}
      me={me}
      signOut={signOut}
      nowMs={clockOf(initial)}
      counts={{ "/dead-letters": openLetters(overview) }}
      connections={overview.connections}
    >
      <Pulse initial={initial} />
      {children}
    </Shell>
  );
}
