"use server";

import { z } from "zod";
import { archiveFilter, readReviewQuery } from "@/app/(desk)/dead-letters/review-query";
import { action } from "@/lib/auth/action";
import { listOpen } from "@/lib/console/archive/list-open";
import { readArchiveClock } from "@/lib/console/archive/read-review";
import { readDatabaseClock } from "@/lib/console/overview/read";
import { pools } from "@/lib/db/pools";
import { RESOLVE_MAX } from "@/lib/domain/resolve";

/** The open letters that an address of the dead letters matches, as many as one decision takes. They are told once: a decision is of these. */
export const listMatching = action({
  name: "list_matching",
  role: "operator",
  input: z.string().max(8_192),
  body: async ({ input, who }) => {
    const { own } = pools();
    const { filter } = readReviewQuery(Object.fromEntries(new URLSearchParams(input)));
    const nowMs = (await readDatabaseClock()) ?? (await readArchiveClock(own)) ?? 0;
    return listOpen(own, archiveFilter(filter, nowMs, who), RESOLVE_MAX);
  },
});
