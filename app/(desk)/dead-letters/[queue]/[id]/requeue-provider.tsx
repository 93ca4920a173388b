"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { type Problem, problemOf, unanswered } from "@/app/(desk)/action-problem";
import { useWhenBack } from "@/components/queue/use-when-back";
import { useClock } from "@/components/ui/db-clock";
import type { Preflight } from "@/lib/domain/preflight";
import type { Reading } from "@/lib/domain/queue";
import type { OperationView, Plan } from "@/lib/domain/requeue";
import { confirmLetterRequeue, planLetterRequeue } from "./actions";
import { useOperation } from "./use-operation";

const ENGINE_AGAIN_MS = 10_000;

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
  /** Pressed on this page, and not read with it. */
  pressed: boolean;
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
  const [sent, setSent] = useState<OperationView | null>(null);
  const operation = useOperation(sent ?? lastOperation, () => router.refresh());

  const makePlan = useCallback(async () => {
    setReading(true);
    const result = await planLetterRequeue({ queue: queue as "persistence-retry", letterId }).catch(lost);
    setReading(false);
    if (result.kind === "ok") {
      setPlan(result.value);
      // Requeued meanwhile, or a page that the browser kept: what became of it is on the page as it is now.
      if (isGone(result.value)) router.refresh();
      // The reading brings the database clock with it: nothing on the page may be older than what is shown.
      clock.report({ atMs: result.value.preflight.readMs, receivedAtPerf: performance.now() });
    }
    setProblem(result.kind === "ok" ? null : problemOf(result));
  }, [queue, letterId, clock, router]);

  useEffect(() => {
    if (active && mayRequeue) void makePlan();
  }, [active, mayRequeue, makePlan]);

  useWhenBack(() => active && mayRequeue && plan === null && void makePlan());

  // A block by the engine's absence ends when it is back: then nobody should have to ask.
  const engineAway = plan?.preflight.findings.some(({ code, severity }) => code === "engine" && severity === "block");
  useEffect(() => {
    if (!engineAway) return;
    const again = setInterval(() => document.hidden || void makePlan(), ENGINE_AGAIN_MS);
    return () => clearInterval(again);
  }, [engineAway, makePlan]);

  async function confirm(acknowledged: string[], reason: string) {
    if (!plan || sending) return;
    setSending(true);
    setProblem(null);
    const input = { queue: queue as "persistence-retry", operationId: plan.operationId, acknowledged, reason };
    const result = await confirmLetterRequeue(input).catch(lost);
    setSending(false);
    // It may have been sent: it is followed by its id until that is known.
    if (result.kind === "failed") return setSent(unsure(plan, result.sentence));
    if (result.kind !== "ok") return setProblem(problemOf(result));
    const ended = result.value;
    switch (ended.kind) {
      case "sent":
      case "already":
        return setSent(ended.view);
      case "changed":
        setPlan(ended.plan);
        if (isGone(ended.plan)) {
          setProblem({ title: "Nothing was requeued by this click: another was faster." });
          return router.refresh();
        }
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
    pressed: sent !== null,
    problem,
    readAgain: () => void (mayRequeue ? makePlan() : router.refresh()),
    confirm: (acknowledged, reason) => void confirm(acknowledged, reason),
  };
  return <RequeueContext value={state}>{children}</RequeueContext>;
}

const isGone = (plan: Plan) => plan.preflight.findings.some(({ code }) => code === "letter_active");

/** The click as it stands while nobody knows whether the server took it. */
function unsure(plan: Plan, sentence: string): OperationView {
  return {
    operationId: plan.operationId,
    state: "intended",
    letterId: plan.preflight.letterId,
    by: "you",
    intendedMs: null,
    answer: null,
    newJobId: null,
    outcome: null,
    outcomeMs: null,
    nextLetterId: null,
    sentence: `It is not known yet whether this was sent. ${sentence}`,
    atMs: plan.preflight.readMs,
  };
}

/** The request itself broke: whether the server got it is not known here, so nothing is claimed. */
const lost = () =>
  unanswered("connection_lost", "The connection to Backstop was lost. Reload the page: it shows what was sent.");
