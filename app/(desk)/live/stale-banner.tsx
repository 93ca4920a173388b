"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { PollError } from "@/app/(desk)/live/poll";
import { overviewQuery } from "@/app/(desk)/live/use-overview";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { useClock, useClockMode, useDbText } from "@/components/ui/db-clock";
import { proseDuration } from "@/lib/domain/time";

/** Over old data: how old, why, what still answers, and a way to try now. Nothing while readings come. */
export function StaleBanner() {
  const clock = useClock();
  const stale = useClockMode() === "stale";
  // The frame has brought the first reading and keeps it coming.
  const { data, error, refetch, isFetching } = useQuery(overviewQuery);
  const age = useDbText(() => (stale ? proseDuration(clock.ageMs()) : ""));
  if (error instanceof PollError && error.signedOut) {
    return (
      <Banner
        kind="stale"
        end={
          <Link className="link" href="/sign-in">
            Sign in
          </Link>
        }
      >
        <b>Your session is over.</b> What is shown stays as it was.
      </Banner>
    );
  }
  const why = error?.message ?? (data?.clock.kind === "failed" ? data.clock.sentence : null);
  if (why === null && data?.ownAway) {
    return (
      <Banner kind="partial">
        <b>The desk's own database cannot be read.</b> {data.ownAway} You can read on for a minute. Nothing can be
        changed until it answers.
      </Banner>
    );
  }
  if (why === null && data?.resolvedUntold) {
    return (
      <Banner kind="partial">
        <b>How many letters people have resolved could not be counted.</b> {data.resolvedUntold} Until it is, open
        letters are counted with them.
      </Banner>
    );
  }
  if (why === null || !data) return null;
  const live = error ? [] : data.connections.filter(({ state, name }) => state === "ok" && name !== "Postgres");
  return (
    <Banner
      kind="stale"
      end={
        <Button size="sm" onClick={() => void refetch()} disabledReason={isFetching ? "It is being tried" : null}>
          Try now
        </Button>
      }
    >
      <b>{age === "" ? "The database clock cannot be read." : `Data is ${age} old.`}</b> {why}
      {live.length > 0
        ? ` ${live.map(({ name }) => name).join(" and ")} ${live.length === 1 ? "is" : "are"} live.`
        : null}
    </Banner>
  );
}
