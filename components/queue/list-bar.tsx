import type { ReactNode } from "react";
import { ReadAgain } from "@/components/queue/read-again";
import { Keycap } from "@/components/ui/keycap";
import { Time } from "@/components/ui/time";

type Props = {
  /** The database clock of the list's reading; null: it was not read. */
  atMs: number | null;
  children: ReactNode;
};

/** Over a list: its views at the left; when it was read and how to read it again at the right. */
export function ListBar({ atMs, children }: Props) {
  return (
    <div className="bar">
      {children}
      <span className="end">
        <span className="hide-m">
          <Keycap>j</Keycap> <Keycap>k</Keycap> move <Keycap>Enter</Keycap> open
        </span>
        {atMs === null ? null : (
          <span className="only-wide">
            as of <Time atMs={atMs} nowMs={atMs} show="clock" />
          </span>
        )}
        <ReadAgain />
      </span>
    </div>
  );
}
