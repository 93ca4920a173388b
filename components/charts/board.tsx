"use client";

import { createContext, type ReactNode, useContext, useMemo, useState } from "react";

/** The stretch that is being drawn, from where it was begun (ms). */
export type Drawn = { fromMs: number; toMs: number };

type Board = {
  /** The instant that the crosshair of every figure stands at; null: none. */
  atMs: number | null;
  setAtMs(atMs: number | null): void;
  drawn: Drawn | null;
  setDrawn(drawn: Drawn | null): void;
  /** Takes what was drawn as the range of all figures. */
  choose(drawn: Drawn): void;
};

const BoardContext = createContext<Board | null>(null);

/** Figures with one time axis, one crosshair and one brush. */
export function ChartBoard({ choose, children }: { choose(drawn: Drawn): void; children: ReactNode }) {
  const [atMs, setAtMs] = useState<number | null>(null);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const board = useMemo(() => ({ atMs, setAtMs, drawn, setDrawn, choose }), [atMs, drawn, choose]);
  return <BoardContext value={board}>{children}</BoardContext>;
}

export function useBoard(): Board {
  const board = useContext(BoardContext);
  if (!board) throw new Error("A figure stands on a ChartBoard");
  return board;
}
