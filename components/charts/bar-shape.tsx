type Point = { x: number | null; y: number | null; value?: unknown };
type Props = { points?: readonly Point[]; color: string; base: number };

/** What is left free between two bars, as a share of a bin. */
const GAP = 0.14;

/**
 * All bars of a series as one path: a rectangle of its own for each of 900 bars would hold a browser up for a second.
 * Points lie in the middle of their bins.
 */
export function BarShape({ points = [], color, base }: Props) {
  const [first, second] = points;
  const wide = first?.x != null && second?.x != null ? second.x - first.x : 8;
  const width = Math.max(0.75, wide * (1 - GAP));
  const bars = points.flatMap(({ x, y }) =>
    x === null || y === null || y >= base
      ? []
      : [`M${(x - width / 2).toFixed(2)},${base.toFixed(2)}V${y.toFixed(2)}h${width.toFixed(2)}V${base.toFixed(2)}Z`],
  );
  return <path className="bars" d={bars.join("")} fill={color} />;
}
