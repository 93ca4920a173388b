"use client";

import { createContext, type ReactNode, use, useMemo, useState } from "react";
import type { QueueName } from "@/lib/domain/queue";

/** A letter that a person has ticked. */
export type Selected = { queue: QueueName; id: string };

type Selection = {
  letters: readonly Selected[];
  has(letter: Selected): boolean;
  /** Ticks letters, or takes their ticks away. */
  select(letters: readonly Selected[], on: boolean): void;
};

const SelectionContext = createContext<Selection | null>(null);

const keyOf = ({ queue, id }: Selected) => `${queue}\n${id}`;

/** Holds which letters of a list are ticked. Give it the view as its key: another view begins with none. */
export function SelectionProvider({ children }: { children: ReactNode }) {
  const [ticked, setTicked] = useState<ReadonlyMap<string, Selected>>(new Map());
  const selection = useMemo<Selection>(
    () => ({
      letters: [...ticked.values()],
      has: (letter) => ticked.has(keyOf(letter)),
      select: (letters, on) =>
        setTicked((before) => {
          const next = new Map(before);
          for (const letter of letters) {
            if (on) next.set(keyOf(letter), letter);
            else next.delete(keyOf(letter));
          }
          return next;
        }),
    }),
    [ticked],
  );
  return <SelectionContext value={selection}>{children}</SelectionContext>;
}

/** The ticks of the list that stands around. */
export function useSelection(): Selection {
  const selection = use(SelectionContext);
  if (!selection) throw new Error("no SelectionProvider around");
  return selection;
}
