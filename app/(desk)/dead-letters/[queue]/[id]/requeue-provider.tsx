"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { useClock } from "@/components/ui/db-clock";
import type { ActionResult } from "@/lib/auth/run-action";
import type { Preflight } from "@/lib/domain/preflight";
import type { Reading } from "@/lib/domain/queue";
import type { OperationView, Plan } from "@/lib/domain/requeue";
import { confirmLetterRequeue, planLetterRequeue } from "./actions";
import { type Problem, problemOf } from "./problem";
import { useOperation } from "./use-operation";

type Subject = {
  queue: string;
  letterId: string;
  kind: string;
  /** Dead in the store: only then is there anything to requeue. */
  active: boolean;
  mayRequeue: boolean;
};

type State = Subject & {
  /** What the panels show: the stored plan's preflight, else what the page read. */
  preflight: Reading<Preflight> | null;
  plan: Plan | null;
  reading: boolean;
  sending: boolean;
  operation: OperationView | null;
  problem: Problem | null;
  readAgain(): void;
  confirm(acknowledged: string[], reason: string): void;
};

const RequeueContext = createContext<State | null>(null);

/** The requeue of the letter on this page. */
export function useRequeue(): State {
  const state = useContext(RequeueContext);
  if (!state) throw new Error("useRequeue stands outside its provider");
  return state;
}

type Props = Subject & {
  readPreflight: Reading<Preflight> | null;
  lastOperation: OperationView | null;
  children: ReactNode;
};

/** Plan, click and outcome of one letter, for the panels that show them. The plan is stored when the panel opens. */
export function RequeueProvider({ readPreflight, lastOperation, children, ...subject }: Props) {
  const { queue, letterId, active, mayRequeue } = subject;
  const router = useRouter();
  const clock = useClock();
  const [plan, setPlan] = useState<Plan | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [reading, setReading] = useState(false);
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState<OperationView | null>(lastOperation);
  const operation = useOperation(sent, () => router.refresh());

  const makePlan = useCallback(async () => {
    setReading(true);
    const result = await planLetterRequeue({ queue: queue as "persistence-retry", letterId }).catch(lost);
    setReading(false);
    if (result.kind === "ok") {
      setPlan(result.value);
      // The reading brings the database clock with it: nothing on the page may be older than what is shown.
      clock.report({ atMs: result.value.preflight.readMs, receivedAtPerf: performance.now() });
    }
    setProblem(result.kind === "ok" ? null : problemOf(result, false));
  }, [queue, letterId, clock]);

  useEffect(() => {
    if (active && mayRequeue) void makePlan();
  }, [active, mayRequeue, makePlan]);

  async function confirm(acknowledged: string[], reason: string) {
    if (!plan || sending) return;
    setSending(true);
    setProblem(null);
    const input = { queue: queue as "persistence-retry", operationId: plan.operationId, acknowledged, reason };
    const result = await confirmLetterRequeue(input).catch(lost);
    setSending(false);
    if (result.kind !== "ok") return setProblem(problemOf(result, true));
    const ended = result.value;
    switch (ended.kind) {
      case "sent":
      case "already":
        return setSent(ended.view);
      case "changed":
        setPlan(ended.plan);
        return setProblem({ title: "Nothing was requeued: preflight found something new.", detail: "Read it above." });
      case "blocked":
      case "incomplete":
      case "plan_gone":
        await makePlan();
        return setProblem({
          title: "Nothing was requeued: this plan was out of date.",
          detail: "It was made again. Read it above.",
        });
      default:
        return ended satisfies never;
    }
  }

  const state: State = {
    ...subject,
    preflight: plan ? { kind: "read", value: plan.preflight } : readPreflight,
    plan,
    reading,
    sending,
    operation,
    problem,
    readAgain: () => void (mayRequeue ? makePlan() : router.refresh()),
    confirm: (acknowledged, reason) => void confirm(acknowledged, reason),
  };
  return <RequeueContext value={state}>{children}</RequeueContext>;
}

/** The request itself broke: whether the server got it is not known here, so nothing is claimed. */
function lost(): Extract<ActionResult<never>, { kind: "failed" }> {
  const sentence = "The connection to Backstop was lost. Reload the page: it shows what was sent.";
  return { kind: "failed", code: "connection_lost", requestId: "", atMs: Date.now(), sentence };
}
