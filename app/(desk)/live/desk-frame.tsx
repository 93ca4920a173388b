"use client";

import type { ReactNode } from "react";
import { Pulse } from "@/app/(desk)/live/pulse";
import { useOverview } from "@/app/(desk)/live/use-overview";
import { Away } from "@/components/queue/use-when-back";
import type { Person } from "@/components/shell/me";
import { type Environment, Shell } from "@/components/shell/shell";
import type { ConnectionView, Overview } from "@/lib/domain/overview";
import { clockOf, openLetters } from "@/lib/domain/overview-facts";

type Props = { environment: Environment; me: Person; signOut: ReactNode; initial: Overview; children: ReactNode };

/** The frame of the desk with its counts and connections kept current on every page. */
export function DeskFrame({ environment, me, signOut, initial, children }: Props) {
  const { overview, stale } = useOverview(initial);
  return (
    <Shell
      environment={environment}
      me={me}
      signOut={signOut}
      nowMs={clockOf(initial)}
      counts={{ "/dead-letters": openLetters(overview) }}
      connections={stale ? overview.connections.map(unheard) : overview.connections}
    >
      <Pulse initial={initial} />
      <Away value={away(overview, stale)}>{children}</Away>
    </Shell>
  );
}

const STORES = ["Postgres", "Redis"];

/** Which stores do not answer; `desk`: the desk itself brings no reading of any. */
function away({ ownAway, connections }: Overview, stale: boolean): string {
  const silent = connections.filter(({ name, state }) => STORES.includes(name) && state === "no_answer");
  return [...(stale ? ["desk"] : []), ...(ownAway ? ["own"] : []), ...silent.map(({ name }) => name)].join(" ");
}

/** Of what is not heard of nobody may say that it answers. */
function unheard(connection: ConnectionView): ConnectionView {
  if (connection.state === "not_configured") return connection;
  return { ...connection, state: "no_answer", ms: null, note: "The desk itself brought no reading of it" };
}
