"use client";

import { useState } from "react";
import { type Problem, problemOf, unanswered } from "@/app/(desk)/action-problem";
import type { Revealed } from "@/lib/domain/dead-letter";
import { revealMasked } from "./reveal-action";

const UNDONE = { refused: "Nothing was revealed.", failed: "It could not be revealed." };

/** What masks hide of a letter: asked for once, kept in this page alone until it is hidden again. */
export function useReveal(queue: string, letterId: string) {
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function reveal() {
    setAsking(true);
    setProblem(null);
    const result = await revealMasked({ queue: queue as "persistence-retry", letterId }).catch(lost);
    setAsking(false);
    if (result.kind !== "ok") return setProblem(problemOf(result, UNDONE));
    const ending = result.value;
    switch (ending.kind) {
      case "revealed":
        return setRevealed(ending.revealed);
      case "gone":
        return setProblem({ title: UNDONE.refused, detail: "Its store does not have the letter any more." });
      case "not_permitted":
        return setProblem({
          title: UNDONE.refused,
          detail: "You may not reveal what is masked. That you asked is recorded.",
        });
      default:
        return ending satisfies never;
    }
  }

  return { revealed, asking, problem, reveal: () => void reveal(), hide: () => setRevealed(null) };
}

const lost = () =>
  unanswered("connection_lost", "The connection to Backstop was lost. That you asked may be recorded.");
