"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { type Problem, unanswered } from "@/app/(desk)/action-problem";
import type { ActionResult } from "@/lib/auth/run-action";

/** After which endings the page is read anew: what was done, whatever the desk answered, or any. */
type Refresh = "done" | "answered" | "always";

/**
 * How a form sends its action: `sending` until it has ended, `problem` until the next has. `send` takes what was asked
 * and why it was not done (null: it was), and gives what was done; null: it was not, and `problem` says why.
 */
export function useSend(refresh: Refresh = "done") {
  const router = useRouter();
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function send<T>(
    asked: Promise<ActionResult<T>>,
    problemIn: (result: ActionResult<T>) => Problem | null,
  ): Promise<T | null> {
    setSending(true);
    const result = await asked.catch(lost);
    setSending(false);
    const found = problemIn(result);
    setProblem(found);
    const done = result.kind === "ok" && found === null;
    if (done || refresh === "always" || (refresh === "answered" && result.kind === "ok")) router.refresh();
    return done ? result.value : null;
  }

  return { sending, problem, send };
}

const lost = () => unanswered("no_answer", "The desk does not answer. Reload to see what was done.");
