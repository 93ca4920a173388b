const WIDTH = 96;
const HEIGHT = 22;
const TOP = 2.5;

/** Points of a polyline on the sparkline's grid. */
function points(values: readonly number[], max: number): string {
  const step = values.length > 1 ? WIDTH / (values.length - 1) : 0;
  return values
    .map((value, index) => {
      const y = HEIGHT - (max > 0 ? (value / max) * (HEIGHT - TOP) : 0);
      return `${(index * step).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(" ");
}

/**
 * The shape of the last while, without axes and on its own scale: solid is what came in, dashed what went out. The
 * number beside it carries the value, so it says nothing by itself to a screen reader.
 */
export function Sparkline({ into, out }: { into: readonly number[]; out?: readonly number[] }) {
  if (into.length < 2) return <span className="spark" aria-hidden="true" />;
  const max = Math.max(...into, ...(out ?? []));
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <polygon className="sp-area" points={`0,${HEIGHT} ${points(into, max)} ${WIDTH},${HEIGHT}`} />
      <polyline className="sp-in" points={points(into, max)} />
      {out && out.length > 1 ? <polyline className="sp-out" points={points(out, max)} /> : null}
    </svg>
  );
}
