"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { PollError } from "@/app/(desk)/live/poll";
import { overviewQuery } from "@/app/(desk)/live/use-overview";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { useClock, useClockMode, useDbText } from "@/components/ui/db-clock";
import type { Overview } from "@/lib/domain/overview";
import { proseDuration } from "@/lib/domain/time";

/** Over old data: how old, why, and a way to try now. Nothing while readings come. */
export function StaleBanner({ initial }: { initial: Overview }) {
  const clock = useClock();
  const mode = useClockMode();
  const { data, error, refetch, isFetching } = useQuery({ ...overviewQuery, initialData: initial });
  const age = useDbText(() => (mode === "stale" ? proseDuration(clock.ageMs()) : ""));
  if (error instanceof PollError && error.signedOut) {
    return (
      <Banner kind="stale" end={<Link href="/sign-in">Sign in</Link>}>
        <b>Your session is over.</b> What is shown stays as it was.
      </Banner>
    );
  }
  const why = error ? error.message : data.clock.kind === "failed" ? data.clock.sentence : null;
  if (why === null) return null;
  const live = data.connections.filter(({ state, name }) => state === "ok" && name !== "Postgres");
  return (
    <Banner
      kind="stale"
      end={
        <Button size="sm" onClick={() => void refetch()} disabledReason={isFetching ? "It is being tried" : null}>
          Try now
        </Button>
      }
    >
      <b>{age === "" ? "No data." : `Data is ${age} old.`}</b> {why}
      {error || live.length === 0
        ? null
        : ` ${live.map(({ name }) => name).join(" and ")} answer${live.length === 1 ? "s" : ""}.`}
    </Banner>
  );
}
