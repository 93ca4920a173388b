import { DepthCount, Untold } from "@/components/queue/depth-count";
import { NotApplicable } from "@/components/ui/number-link";
import { Td } from "@/components/ui/table";
import { isLate } from "@/lib/domain/late";
import type { QueueOverview } from "@/lib/domain/overview";
import type { CountName, Depths } from "@/lib/domain/queue";
import { SHAPE_WORDS } from "@/lib/domain/shape-words";

import { duration, utcClock } from "@/lib/domain/time";

type Cell = {
  queue: QueueOverview;
  /** Null: it was never read. */
  depths: Depths | null;
  /** These are old values: no colour speaks of now. */
  dim: boolean;
  href: string | null;
};

type CountProps = Cell & {
  name: string;
  value: number | null | undefined;
  /** Under which name its reading says that it stopped at its cap. */
  of: CountName;
  /** Whether this shape of queue has such a state at all. */
  has?: boolean;
  tone?: "bad" | "late";
};

/** A count. What the shape does not have is a dash, what could not be told a question mark; neither is a zero. */
export function CountCell({ name, queue, depths, dim, value, of, href, has = true, tone }: CountProps) {
  return (
    <Td end name={name}>
      {!has ? (
        <NotApplicable why={`A ${SHAPE_WORDS[queue.shape]} has no such state`} />
      ) : depths === null ? (
        <Untold why={whyNot(queue)} />
      ) : (
        <DepthCount
          value={value ?? null}
          href={href}
          tone={dim ? undefined : tone}
          capped={depths.capped?.includes(of) ?? false}
        />
      )}
    </Td>
  );
}

/** The oldest age; of an old reading only when it was read, since an age that does not grow would be a lie. */
export function OldestCell({ queue, depths, dim, href }: Cell) {
  return (
    <Td end name="Oldest">
      {depths === null ? (
        <Untold why={whyNot(queue)} />
      ) : dim ? (
        `as of ${utcClock(depths.atMs)}`
      ) : depths.oldestDueMs === null ? (
        <Untold why="The store does not tell ages here" />
      ) : (
        <DepthCount
          value={depths.oldestDueMs}
          href={href}
          tone={isLate(depths.oldestDueMs) ? "late" : undefined}
          text={duration(depths.oldestDueMs)}
        />
      )}
    </Td>
  );
}

const whyNot = ({ depths }: QueueOverview) => (depths.kind === "read" ? "This could not be told" : depths.sentence);
