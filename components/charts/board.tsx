"use client";

import { createContext, type ReactNode, useContext, useMemo, useState } from "react";

/** The stretch that is being drawn, from where it was begun (ms). */
export type Drawn = { fromMs: number; toMs: number };

type Board = {
  /** The instant that the crosshair of every figure stands at; null: none. */
  atMs: number | null;
  /** The figure that it is moved in, which tells what is there. */
  reader: string | null;
  read(atMs: number | null, reader: string): void;
  drawn: Drawn | null;
  setDrawn(drawn: Drawn | null): void;
  /** Takes what was drawn as the range of all figures. */
  choose(drawn: Drawn): void;
};

const BoardContext = createContext<Board | null>(null);

/** Figures with one time axis, one crosshair and one brush. */
export function ChartBoard({ choose, children }: { choose(drawn: Drawn): void; children: ReactNode }) {
  const [at, setAt] = useState<{ atMs: number; reader: string } | null>(null);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const board = useMemo(
    (): Board => ({
      atMs: at?.atMs ?? null,
      reader: at?.reader ?? null,
      read: (atMs, reader) => setAt(atMs === null ? null : { atMs, reader }),
      drawn,
      setDrawn,
      choose,
    }),
    [at, drawn, choose],
  );
  return <BoardContext value={board}>{children}</BoardContext>;
}

export function useBoard(): Board {
  const board = useContext(BoardContext);
  if (!board) throw new Error("A figure stands on a ChartBoard");
  return board;
}
